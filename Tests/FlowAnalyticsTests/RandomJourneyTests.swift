import EventTrackingTestKit
import FlowAnalytics
import Foundation
import HeadlessUIKit
import Testing

/// Random journeys over tabs, stacks, presentations, undeclared containers and windows, with a model as the judge.
@MainActor
@Suite struct RandomJourneyTests {
    /// 10,000 journeys in all.
    @Test(arguments: [true, false], [1, 2])
    func `every screen is announced once, with its transition, previous screen and presentation`(
        animated: Bool,
        trackers: Int
    ) {
        for seed in 0..<2500 {
            var random = SeededRandom(seed: UInt64(seed * 4 + (animated ? 1 : 0) + trackers * 100_000))
            let windows = 1 + seed % 2
            let steps = (0..<Int.random(in: 1...24, using: &random)).map { _ in JourneyStep.random(using: &random) }
            guard Self.failure(steps, animated, trackers, windows) != nil else { continue }
            let shrunk = Self.shrink(steps) { Self.failure($0, animated, trackers, windows) != nil }
            Issue.record(
                """
                seed \(seed), \(animated ? "animated" : "not animated"), \(trackers) trackers, \(windows) windows:
                \(shrunk)
                \(Self.failure(shrunk, animated, trackers, windows) ?? "")
                """
            )
            return
        }
    }

    private static func failure(_ steps: [JourneyStep], _ animated: Bool, _ trackers: Int, _ windows: Int) -> String? {
        let runner = JourneyRunner(animated: animated, trackers: trackers, windows: windows)
        if let failure = runner.failure(after: steps) { return failure }
        let leaks = runner.leaks()
        return leaks == 0 ? nil : "\(leaks) controllers leaked"
    }

    /// Leaves out steps as long as the rest still fails.
    private static func shrink(_ steps: [JourneyStep], _ fails: ([JourneyStep]) -> Bool) -> [JourneyStep] {
        var steps = steps
        var index = 0
        while index < steps.count {
            var shorter = steps
            shorter.remove(at: index)
            if fails(shorter) { steps = shorter } else { index += 1 }
        }
        return steps
    }
}
