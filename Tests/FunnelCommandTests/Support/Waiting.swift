import Testing

/// The longest time that a test waits for an expected event.
let patience = Duration.seconds(300)

/// Waits until the condition holds. It polls, because another process makes the condition true and signals nothing.
func until(
    _ what: @autoclosure () -> String,
    within limit: Duration = patience,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try !condition() {
        if ContinuousClock.now >= deadline {
            Issue.record("waited in vain until \(what())", sourceLocation: sourceLocation)
            throw WaitedInVain()
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}

struct WaitedInVain: Error {}
