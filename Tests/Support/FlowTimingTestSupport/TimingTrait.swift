package import HeadlessUIKit
package import Testing

/// The trait of suites whose tests run once with each timing; see ``Testing/Trait/eachTiming``.
package struct TimingTrait: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        for timing in HeadlessTiming.allCases {
            try await HeadlessTiming.$ofNewWindows.withValue(timing) { try await function() }
        }
    }
}

extension Trait where Self == TimingTrait {
    /// Runs each test twice: presentations without animation end before the call returns, and on a later turn of the main
    /// actor. UIKit promises neither.
    package static var eachTiming: Self { Self() }
}

/// Returns when the transitions of a window have ended, and what has waited for them has run.
@MainActor
package func settle(_ window: UIWindow) async {
    // A dismissal that waits for a presentation begins a turn after its end.
    for _ in 0..<40 {
        HeadlessUser(in: window).finishTransitions()
        await Task.yield()
    }
}
