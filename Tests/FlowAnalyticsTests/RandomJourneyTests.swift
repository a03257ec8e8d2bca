import EventTrackingTestKit
import FlowAnalytics
import FlowEventTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Random journeys over tabs, stacks, presentations, undeclared containers and windows, with a model as the judge.
@MainActor
@Suite struct RandomJourneyTests {
    /// Two hundred journeys, or 10,000 with all seeds.
    @Test(arguments: [true, false], [1, 2])
    func `every screen is announced once, with its transition, previous screen and presentation`(
        animated: Bool,
        trackers: Int
    ) async {
        for seed in Seeds.upTo(2500).map(Int.init) {
            var random = SeededRandom(seed: UInt64(seed * 4 + (animated ? 1 : 0) + trackers * 100_000))
            let setting = JourneySetting(
                animated: animated,
                timing: animated || seed % 4 < 2 ? .immediate : .later,
                trackers: trackers,
                windows: 1 + seed % 2,
                containers: seed / 4
            )
            let steps = (0..<Int.random(in: 1...24, using: &random)).map { _ in JourneyStep.random(using: &random) }
            guard await Self.failure(steps, setting) != nil else { continue }
            let shrunk = await Self.shrink(steps, setting)
            let failure = await Self.failure(shrunk, setting) ?? ""
            Issue.record("seed \(seed), \(setting):\n\(shrunk)\n\(failure)")
            return
        }
    }

    private static func failure(_ steps: [JourneyStep], _ setting: JourneySetting) async -> String? {
        let runner = JourneyRunner(setting)
        if let failure = await runner.failure(after: steps) { return failure }
        let leaks = await runner.leaks()
        // What waits for the next turn must not pile up.
        await Task.yield()
        return leaks == 0 ? nil : "\(leaks) controllers leaked"
    }

    /// Leaves out steps as long as the rest still fails.
    private static func shrink(_ steps: [JourneyStep], _ setting: JourneySetting) async -> [JourneyStep] {
        var steps = steps
        var index = 0
        while index < steps.count {
            var shorter = steps
            shorter.remove(at: index)
            if await failure(shorter, setting) != nil { steps = shorter } else { index += 1 }
        }
        return steps
    }
}
