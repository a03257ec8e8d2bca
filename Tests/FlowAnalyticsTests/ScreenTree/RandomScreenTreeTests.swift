import EventTrackingTestKit
import FlowAnalytics
import FlowEventTestSupport
import Testing

/// Random apps in random releases of SwiftUI, with what a person saw as the judge.
@Suite struct RandomScreenTreeTests {
    @Test func `a tree says what a person saw, once, whatever SwiftUI tells`() {
        for seed in Seeds.upTo(20_000).map(Int.init) {
            var random = SeededRandom(seed: UInt64(seed))
            let setting = SwiftUISimulator.Setting(
                tabs: .random(in: 1...3, using: &random),
                keepsTabs: .random(using: &random),
                isEager: .random(using: &random),
                observesPaths: .random(using: &random),
                coversHide: .random(using: &random),
                namesPaywalls: .random(using: &random)
            )
            let count = Int.random(in: 1...40, using: &random)
            let steps = (0..<count).map { _ in SwiftUISimulator.Step.random(using: &random) }
            guard Self.failure(steps, setting, seed) != nil else { continue }
            let shrunk = Self.shrink(steps, setting, seed)
            Issue.record("seed \(seed), \(setting):\n\(shrunk)\n\(Self.failure(shrunk, setting, seed) ?? "")")
            return
        }
    }

    private static func failure(_ steps: [SwiftUISimulator.Step], _ setting: SwiftUISimulator.Setting, _ seed: Int)
        -> String?
    {
        var simulator = SwiftUISimulator(setting, seed: UInt64(seed))
        return simulator.failure(after: steps)
    }

    /// Leaves out steps as long as the rest still fails.
    private static func shrink(
        _ steps: [SwiftUISimulator.Step],
        _ setting: SwiftUISimulator.Setting,
        _ seed: Int
    ) -> [SwiftUISimulator.Step] {
        var steps = steps
        var index = 0
        while index < steps.count {
            var shorter = steps
            shorter.remove(at: index)
            if failure(shorter, setting, seed) != nil { steps = shorter } else { index += 1 }
        }
        return steps
    }
}
