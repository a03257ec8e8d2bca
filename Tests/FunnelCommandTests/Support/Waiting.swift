import Testing

/// How long a test waits for something that has to happen.
let patience = Duration.seconds(300)

/// Waits until the condition holds. It is looked at again and again: what changes it is another process, which wakes
/// nobody here.
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
