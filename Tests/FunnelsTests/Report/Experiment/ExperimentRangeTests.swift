import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// Compares what an experiment counts with the breakdown that the brute force gives for the settled days.
@Suite struct ExperimentRangeTests {
    private static func funnel(_ random: inout RandomFunnels) throws -> Funnel {
        let shares: [Experiment.Share] = random.generator.pick([
            [], [.init("home", 1), .init("profile", 2)], [.init("nobody", 1), .init("home", 1), .init("paywall", 1)],
        ])
        let control = shares.first?.value ?? random.generator.pick(["home", "(none)", "nobody"])
        return try Funnel(
            name: "f",
            count: random.generator.pick([.installs, .sessions]),
            window: .seconds(3600),
            breakdown: Breakdown("screen"),
            experiment: Experiment(control: control, shareList: shares)
        ) {
            Step(name: "view", event: "screen_view")
            Step(name: "purchase", event: "purchase").summing("properties.n", decimals: 1)
        }
    }

    @Test(arguments: Seeds.upTo(150))
    func `the variants are the values on the settled days of the range`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        let funnel = try Self.funnel(&random)
        let events = random.events(count: 120, installs: 15).sorted { $0.time < $1.time }
        var topic = try CountedTopic(funnels: [funnel], eventsPerBlock: random.eventsPerBlock())
        for event in events {
            try topic.insert(event)
            if random.generator.chance(10) { try topic.commit() }
        }
        try topic.commit()
        let oracle = FunnelOracle(funnels: [funnel], records: events.map { FunnelOracle.Record($0) })
        let first = Int32(random.start / 86_400_000)
        let days = [nil] + (0...3).map { Day(number: first + $0) }
        let (from, to) = random.days(among: days)
        let read = random.generator.chance(10) ? nil : events.last?.time
        let partition = PartitionProgress(partition: 0, nextOffset: 1, watermark: read, isAtEnd: false)
        let stream = TopicProgress(partitions: [partition], partitionCount: 1, greatestLateness: nil)
        let source = StreamedSummary(topic, stream)
        let report = try FunnelReport.make(
            from: source,
            funnels: [funnel],
            ReportRequest(days: .between(from, to))
        ).funnels[0]
        let experiment = try #require(report.experiment)
        let settled = report.states.settledTo
        let last = [settled, to].compactMap { $0 }.min()
        guard settled != nil, let last, from ?? last <= last else {
            #expect(experiment.to == nil && experiment.variants.isEmpty, "seed \(seed)")
            return
        }
        #expect(experiment.to == last, "seed \(seed)")
        let expected = oracle.report(from: from, to: last).funnels[0]
        let values = expected.breakdown ?? []
        let counts = Dictionary(uniqueKeysWithValues: values.map { ($0.value.description, $0.steps.map(\.count)) })
        for variant in experiment.variants {
            #expect(variant.steps.map(\.count) == counts[variant.value] ?? [0, 0], "seed \(seed), \(variant.value)")
            let sums = values.first { $0.value.description == variant.value }?.steps[1].sums?.units.first
            guard let total = counts[variant.value]?[0], total > 0 else { continue }
            let mean = Double(sums?.sum ?? 0) / 10 / Double(total)
            #expect(variant.sums.allSatisfy { abs(($0.perActor ?? .infinity) - mean) < 1e-6 }, "seed \(seed)")
        }
        let shown = Set(experiment.variants.map(\.value))
        #expect(
            shown == Set(counts.keys).union(funnel.experiment?.shares.map(\.value) ?? []).union([experiment.control])
        )
        #expect(experiment.crossed == counts.values.reduce(0) { $0 + $1[0] } - expected.steps[0].count, "seed \(seed)")
    }
}
