import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import PostgresTestSupport
import Testing

@testable import FunnelStorePostgres

/// Stores as older versions of the program have left them.
@Suite(.needsPostgreSQL) struct StoreMigrationTests {
    typealias Fixtures = StoreFixtures

    @Test func `a store from before sequences were kept goes on, and is marked as one`() throws {
        let fixture = try PostgresFixture()
        for step in PostgresSchema.steps.prefix(1) { try fixture.sql(step) }
        try fixture.sql(
            """
            INSERT INTO flow_funnels_schema VALUES (1);
            INSERT INTO flow_funnels_identity(id, cluster_id, topic) VALUES (1, 'cluster-1', 'app-events');
            INSERT INTO flow_funnels_installs VALUES ('a', 4, 'b');
            INSERT INTO flow_funnels_partitions VALUES (2, 9, 5, 8, 3, 2, 1);
            """
        )
        for (position, funnel) in try Fixtures.identity().funnels.enumerated() {
            let definition = FunnelDefinitions.encode([funnel]).replacingOccurrences(of: "'", with: "''")
            try fixture.sql("INSERT INTO flow_funnels_funnels VALUES (\(position), '\(funnel.name)', '\(definition)')")
        }
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
}
