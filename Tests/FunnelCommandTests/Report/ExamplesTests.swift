import FlowEventTestSupport
import FlowTestSupport
import FunnelTestSupport
import Foundation
import Testing

/// Tests the contract's examples with a broker and the built commands.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(10)),
    .enabled(if: Kcat.path != nil || !Kcat.mayBeMissing, "kcat is not installed: run scripts/bootstrap --tests")
)
struct ExamplesTests {
    private let expected: Report
    /// Each event as a line for kcat: its key and its value.
    private let lines: [String]

    init() throws {
        expected = try Report(Fixture.text("report.json"))
        lines = try Fixture.keyedEvents()
    }

    @Test(arguments: [(1, 11), (3, 12), (3, 13), (6, 14)] as [(Int, UInt64)])
    func `the events in any order, over any partitions, give the report figure for figure`(
        partitions: Int,
        seed: UInt64
    ) async throws {
        let pipeline = try Pipeline(partitions: partitions)
        var generator = SeededGenerator(seed: seed)
        try await Kcat.publish(lines.shuffled(using: &generator), to: pipeline)
        let outcome = try await pipeline.count()
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(try await pipeline.jsonReport() == expected)
    }

    @Test func `the same bytes are printed as in the contract's example, but for their layout and the states of days`()
        async throws
    {
        let pipeline = try Pipeline(partitions: 2)
        try await Kcat.publish(lines, to: pipeline)
        _ = try await pipeline.count()
        let output = try await pipeline.report("--format", "json").output
        func words(_ text: String) -> String { text.filter { !$0.isWhitespace } }
        #expect(try words(ReportText.withoutStates(output)) == words(Fixture.text("report.json")))
    }

    @Test(arguments: [21, 22] as [UInt64])
    func `events that come again, now or in a later run, are duplicates and count once`(seed: UInt64) async throws {
        let pipeline = try Pipeline(partitions: 3)
        var generator = SeededGenerator(seed: seed)
        try await Kcat.publish((lines + lines).shuffled(using: &generator), to: pipeline)
        _ = try await pipeline.count()
        let twice = try await pipeline.jsonReport()
        #expect(twice.funnels == expected.funnels)
        #expect(twice.quality.events == 2 * lines.count)
        // The number of events that belong to a funnel: each of them was repeated.
        let members = twice.quality.duplicates - expected.quality.duplicates
        #expect(members > 0 && members <= lines.count)

        try await Kcat.publish(lines.shuffled(using: &generator), to: pipeline)
        _ = try await pipeline.count()
        let thrice = try await pipeline.jsonReport()
        #expect(thrice.funnels == expected.funnels)
        #expect(thrice.quality.events == 3 * lines.count)
        #expect(thrice.quality.duplicates == twice.quality.duplicates + members)
        #expect(thrice.quality.late == 0 && thrice.quality.dead_letters == 0)
    }
}
