import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import FunnelPostgresTestSupport
import Testing

@testable import FunnelStorePostgres

/// Stores that were written by older versions of the program.
@Suite(.waits, .needsPostgreSQL) struct StoreMigrationTests {
    typealias Fixtures = StoreFixtures

    /// Creates the tables of an older version, with its data.
    private func makeStore(_ fixture: PostgresFixture, version: Int) throws {
        for step in PostgresSchema.steps.prefix(version) { try fixture.sql(step) }
        try fixture.sql(
            """
            INSERT INTO flow_funnels_schema VALUES (\(version));
            INSERT INTO flow_funnels_identity(id, cluster_id, topic) VALUES (1, 'cluster-1', 'app-events');
            INSERT INTO flow_funnels_installs VALUES ('a', 4, 'b');
            INSERT INTO flow_funnels_partitions VALUES (2, 9, 5, 8, 3, 2, 1);
            """
        )
        for (position, funnel) in try Fixtures.identity().funnels.enumerated() {
            let definition = FunnelDefinitions.encode([funnel]).replacingOccurrences(of: "'", with: "''")
            try fixture.sql("INSERT INTO flow_funnels_funnels VALUES (\(position), '\(funnel.name)', '\(definition)')")
        }
    }

    @Test func `a store from before sequences were kept goes on, and is marked as one`() throws {
        let fixture = try PostgresFixture()
        try makeStore(fixture, version: 1)
        let reading = #expect(throws: StoreError.self) { try PostgresFunnelReader(url: fixture.url) }
        #expect(reading?.description.contains("start funnel-consumer once") == true)

        let store = try PostgresFunnelStore(url: fixture.url)
        #expect(try store.open(Fixtures.identity()) == [OldStore.standing])
        #expect(try store.installs([OldStore.row.install]) == [OldStore.row])
        #expect(try store.commit(OldStore.commit) == .committed)
        #expect(try store.progress().map(\.quality) == [OldStore.quality])
        store.close()
        #expect(try PostgresFunnelReader(url: fixture.url).withSnapshot { try $0.quality() } == OldStore.quality)
        #expect(try fixture.sql("SELECT has_all_sequences FROM flow_funnels_identity") == "f")
    }

    @Test func `a new store has all sequences`() throws {
        let fixture = try PostgresFixture()
        try fixture.open().close()
        #expect(try fixture.sql("SELECT has_all_sequences FROM flow_funnels_identity") == "t")
    }

    @Test func `a store from before columns reports the same times after it was opened`() throws {
        let fixture = try PostgresFixture()
        try makeStore(fixture, version: 4)
        for (day, segment) in OldStore.segments {
            let bytes = segment.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
            try fixture.sql(
                """
                INSERT INTO flow_funnels_segments(funnel, by_value, day, value, body)
                VALUES (0, false, \(day), '', '\\x\(bytes)')
                """
            )
        }
        try PostgresFunnelStore(url: fixture.url).close()
        let reader = try PostgresFunnelReader(url: fixture.url)
        #expect(try reader.withSnapshot { try OldStore.figures(in: $0) } == OldStore.figures)
    }
}
