import FlowTestSupport
import Testing

/// Counts the bodies that run at a time, and all that have run.
private actor Runs {
    private var now = 0
    private(set) var most = 0
    private(set) var total = 0

    func begin() {
        now += 1
        most = max(most, now)
        total += 1
    }

    func end() { now -= 1 }
}

@Suite(.waits, .timeLimit(.minutes(10))) struct SuiteGateTests {
    @Test(arguments: [1, 3]) func `no more than the limit run at a time, and all run`(limit: Int) async throws {
        let gate = SuiteGate(limit: limit)
        let runs = Runs()
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    try await gate.run {
                        await runs.begin()
                        await Task.yield()
                        await runs.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await runs.most <= limit)
        #expect(await runs.total == 20)
    }

    @Test func `a body that fails gives its turn to the next`() async throws {
        let gate = SuiteGate(limit: 1)
        await #expect(throws: WaitedInVain.self) { try await gate.run { throw WaitedInVain() } }
        let runs = Runs()
        try await gate.run { await runs.begin() }
        #expect(await runs.total == 1)
    }
}
