import FlowEventTestSupport
import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import FunnelTestSupport
import Testing

/// Tests the contract's examples of all keys of a definition with a broker and the built commands.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(10)),
    .enabled(if: Kcat.path != nil || !Kcat.mayBeMissing, "kcat is not installed: run scripts/bootstrap --tests")
)
struct DefinitionExamplesTests {
    @Test(arguments: [Fixture.definitions, .questions], [1, 4])
    func `the events in any order, over any partitions, give the report figure for figure`(
        fixture: Fixture,
        partitions: Int
    ) async throws {
        try await expectReport(of: fixture, partitions: partitions, seed: UInt64(30 + partitions))
    }

    @Test(
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed: run scripts/bootstrap --tests"),
        arguments: [Fixture.definitions, .questions]
    )
    func `a store on PostgreSQL gives the report figure for figure`(fixture: Fixture) async throws {
        let server = try PostgresServer.shared()
        let environment = ["STORE_URL": server.url(schema: try server.makeSchema())]
        try await expectReport(of: fixture, partitions: 3, seed: 33, environment)
    }

    private func expectReport(
        of fixture: Fixture,
        partitions: Int,
        seed: UInt64,
        _ environment: [String: String] = [:]
    ) async throws {
        let pipeline = try Pipeline(partitions: partitions)
        try pipeline.directory.write(Fixture.text("funnels.yaml", of: fixture), to: "config/funnels.yaml")
        var generator = SeededGenerator(seed: seed)
        let lines = try Fixture.keyedEvents(of: fixture)
        try await Kcat.publish((lines + lines.prefix(500)).shuffled(using: &generator), to: pipeline)
        let outcome = try await pipeline.count(environment: environment)
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
        let output = try await pipeline.report(
            "--times",
            "--by",
            "day",
            "--format",
            "json",
            environment: environment
        ).output
        let found = try JSONDecoder().decode(JSONValue.self, from: Data(output.utf8))
        let expected = try JSONDecoder().decode(
            JSONValue.self,
            from: Data(Fixture.text("report.json", of: fixture).utf8)
        )
        #expect(found["funnels"]?.compared == expected["funnels"]?.compared)
    }
}
