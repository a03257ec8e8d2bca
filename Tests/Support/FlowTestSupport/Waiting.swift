package import Testing

/// How long a test waits for something that has to happen.
///
/// It is long because Kafka's mock cluster may need several rounds of some seconds each on a busy machine.
package let patience = Duration.seconds(300)

/// The condition that a test waited for did not hold in time.
package struct WaitedInVain: Error {
    package init() {}
}

/// Waits until a condition holds, and ends the test where it does not hold in time.
///
/// ```swift
/// try await until("the consumer has read all records") { try store.eventCount() == 100 }
/// ```
package func until(
    _ what: @autoclosure () -> String,
    within limit: Duration = patience,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    if try await !eventually(within: limit, condition) {
        Issue.record("waited in vain until \(what())", sourceLocation: sourceLocation)
        throw WaitedInVain()
    }
}

/// Waits until a condition holds; returns `false` where it does not hold in time.
///
/// It checks the condition every few milliseconds: another thread or process changes what the condition reads, and
/// nothing notifies the test.
package func eventually(within limit: Duration = patience, _ condition: () async throws -> Bool) async rethrows -> Bool
{
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        if ContinuousClock.now >= deadline { return false }
        // Only a canceled task wakes early.
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}
