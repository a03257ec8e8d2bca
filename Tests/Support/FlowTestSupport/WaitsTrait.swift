package import Testing

/// The trait of suites that wait for brokers, servers, databases or processes; see ``Testing/Trait/waits``.
package struct WaitsTrait: SuiteTrait, TestScoping {
    // One for all test targets, which are one process: what they share is its threads and the machine's cores.
    private static let gate = SuiteGate(limit: 12)

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.gate.run(function)
    }
}

extension Trait where Self == WaitsTrait {
    /// For suites that wait for brokers, servers, databases or processes: runs only a few of them at a time, and after
    /// the tests that only compute.
    ///
    /// The time limit of a test does not include the wait of its suite.
    ///
    /// ```swift
    /// @Suite(.waits, .timeLimit(.minutes(10))) struct CollectorCommandTests {
    /// ```
    package static var waits: Self { Self() }
}
