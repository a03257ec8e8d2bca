import FlowEventTestSupport
import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import Testing

/// The built commands on a real PostgreSQL that the tests start.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(10)),
    .enabled(if: Kcat.path != nil || !Kcat.mayBeMissing, "kcat is not installed: run scripts/bootstrap --tests"),
    .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed: run scripts/bootstrap --tests")
)
struct PostgresCommandTests {
    private let expected: Report
    private let lines: [String]
    private let environment: [String: String]

    init() throws {
        expected = try Report(Fixture.text("report.json"))
        lines = try Fixture.keyedEvents()
        let server = try PostgresServer.shared()
        environment = ["STORE_URL": server.url(schema: try server.makeSchema())]
    }

    private func report(_ pipeline: Pipeline) async throws -> Report? {
        let outcome = try await pipeline.report("--format", "json", environment: environment)
        return outcome.status == 0 ? try Report(outcome.output) : nil
    }

    @Test func `the examples give the report figure for figure`() async throws {
        let pipeline = try Pipeline(partitions: 3)
        var generator = SeededGenerator(seed: 31)
        try await Kcat.publish(lines.shuffled(using: &generator), to: pipeline)
        let outcome = try await pipeline.count(environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await report(pipeline) == expected)
    }

    @Test func `three consumers of one group share the partitions and give the same report`() async throws {
        let pipeline = try Pipeline(partitions: 6)
        try pipeline.writeFastSettings()
        func untilReported(_ what: String, _ condition: (Report) -> Bool) async throws {
            try await until("the report has \(what)") { try await report(pipeline).map(condition) ?? false }
        }
        let consumers = try (0..<3).map { _ in try pipeline.consumer(environment: environment) }
        var generator = SeededGenerator(seed: 32)
        let shuffled = lines.shuffled(using: &generator)
        try await Kcat.publish(Array(shuffled.prefix(200)), to: pipeline)
        // One leaves in the middle, and its partitions go to the others.
        try await untilReported("the first events") { $0.quality.events > 0 }
        consumers[0].send(SIGTERM)
        let first = try await consumers[0].end()
        #expect(first.status == 0, "\(first.errors)")
        try await Kcat.publish(Array(shuffled.dropFirst(200)), to: pipeline)
        try await untilReported("all events") { $0.quality.events == lines.count }
        for consumer in consumers.dropFirst() {
            consumer.send(SIGINT)
            let outcome = try await consumer.end()
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try await report(pipeline) == expected)
    }

    @Test func `a second store in the group of the first is refused with what to do, and counts alone in its own`()
        async throws
    {
        let pipeline = try Pipeline(partitions: 3)
        try await Kcat.publish(lines, to: pipeline)
        let first = try await pipeline.count("--group-id", "shared", environment: environment)
        #expect(first.status == 0, "\(first.errors)")
        let server = try PostgresServer.shared()
        let other = ["STORE_URL": server.url(schema: try server.makeSchema())]
        let refused = try await pipeline.count("--group-id", "shared", environment: other)
        #expect(refused.status == 78)
        for part in ["consumer group 'shared'", "for another store", "Leave group_id out", "Nothing is lost"] {
            #expect(refused.errors.contains(part), "\(refused.errors)")
        }
        // The first store goes on, and the other one counts all of the topic in its default group.
        let again = try await pipeline.count("--group-id", "shared", environment: environment)
        #expect(again.status == 0, "\(again.errors)")
        let alone = try await pipeline.count(environment: other)
        #expect(alone.status == 0, "\(alone.errors)")
        let outcome = try await pipeline.report("--format", "json", environment: other)
        #expect(try Report(outcome.output) == expected)
    }
}
