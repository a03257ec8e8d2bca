/// Lets a limited number of suites run at a time, in the order in which they ask, once no queue of other tests is left.
///
/// Swift Testing starts all tests at once. Tests that compute then keep every thread of the pool busy, and a test that
/// waits for a broker, a server or a process gets its thread back only after minutes.
package actor SuiteGate {
    private let limit: Int
    private var running = 0
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a gate.
    ///
    /// - Parameter limit: The number of suites that may run at a time.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Runs `body` when it is its turn.
    package func run(_ body: @Sendable () async throws -> Void) async throws {
        await enter()
        defer { leave() }
        try await body()
    }

    private func enter() async {
        if running < limit {
            running += 1
        } else {
            // The suite that leaves hands its turn over, and `running` stays what it is.
            await withCheckedContinuation { waiting.append($0) }
        }
        // All tests that compute are queued at the start: the pool is busy once, and then never again.
        while !isOpen { isOpen = await Self.poolIsIdle() }
    }

    private func leave() {
        if waiting.isEmpty {
            running -= 1
        } else {
            waiting.removeFirst().resume()
        }
    }

    /// Whether a task that wakes gets a thread soon, several times in a row.
    private static func poolIsIdle() async -> Bool {
        for _ in 0..<5 {
            let start = ContinuousClock.now
            // Only a canceled task wakes early.
            try? await Task.sleep(for: .milliseconds(20))
            if ContinuousClock.now - start > .milliseconds(150) { return false }
        }
        return true
    }
}
