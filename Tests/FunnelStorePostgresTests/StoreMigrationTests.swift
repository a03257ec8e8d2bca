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
        #expect(reading?.code == .older && reading?.description.contains("(store version 1, ") == true)

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

    /// Adds the segments of ``OldStore`` in the coding of the version.
    private func addSegments(_ fixture: PostgresFixture, version: Int) throws {
        for (day, segment) in OldStore.segments {
            let segment = version < 5 ? segment : try SummarySegment.converted(fromRecords: segment)
            let bytes = segment.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
            try fixture.sql(
                """
                INSERT INTO flow_funnels_segments(funnel, by_value, day, value, \(version < 5 ? "body" : "attempts"))
                VALUES (0, false, \(day), '', '\\x\(bytes)')
                """
            )
        }
    }

    @Test(arguments: 1...5)
    func `a store of any released version goes on with all it has, and fills its view`(version: Int) throws {
        let fixture = try PostgresFixture()
        try makeStore(fixture, version: version)
        try addSegments(fixture, version: version)
        let store = try PostgresFunnelStore(url: fixture.url)
        #expect(try store.open(Fixtures.identity()) == [OldStore.standing])
        #expect(try store.installs([OldStore.row.install]) == [OldStore.row])
        #expect(try store.commit(OldStore.commit) == .committed)
        #expect(try store.progress().map(\.quality) == [OldStore.quality])
        store.close()
        let reader = try PostgresFunnelReader(url: fixture.url)
        #expect(try reader.withSnapshot { try OldStore.figures(in: $0) } == OldStore.figures)
        let rows = try fixture.sql(
            """
            SELECT concat_ws(' ', funnel, coalesce(value, '-'), day, previous_day, depth, actors)
            FROM funnel_results ORDER BY day, depth
            """
        )
        #expect(rows.split(separator: "\n").map(String.init) == OldStore.viewRows)
    }

    @Test(arguments: 1...5)
    func `a crash in the middle of an upgrade leaves the old store`(version: Int) throws {
        let fixture = try PostgresFixture()
        try makeStore(fixture, version: version)
        try addSegments(fixture, version: version)
        let connection = try PostgresConnection(fixture.url)
        try connection.run("BEGIN")
        for step in PostgresSchema.steps.dropFirst(version) { try connection.run(step) }
        let crash = #expect(throws: PostgresFailure.self) {
            try connection.run("SELECT pg_terminate_backend(pg_backend_pid())")
        }
        #expect(crash?.isConnectionLost == true)
        #expect(try fixture.sql("SELECT version FROM flow_funnels_schema") == "\(version)")
        let store = try PostgresFunnelStore(url: fixture.url)
        #expect(try store.open(Fixtures.identity()) == [OldStore.standing])
        #expect(try store.commit(OldStore.commit) == .committed)
        store.close()
        let reader = try PostgresFunnelReader(url: fixture.url)
        #expect(try reader.withSnapshot { try OldStore.figures(in: $0) } == OldStore.figures)
    }

    @Test func `a store keeps the transitions of time zones by their names`() throws {
        let fixture = try PostgresFixture()
        try fixture.open().close()
        let queries = PostgresStoreQueries(
            connection: try PostgresConnection(fixture.url),
            location: try PostgresStoreLocation(fixture.url)
        )
        #expect(try queries.timeZone("Europe/Berlin") == nil)
        for transitions in [[1, 2], [3]] as [[UInt8]] { try queries.setTimeZone("Europe/Berlin", transitions) }
        #expect(try queries.timeZone("Europe/Berlin") == [3])
        #expect(try queries.timeZone("Europe/Paris") == nil)
    }

    @Test func `a segment that cannot be counted leaves the old store`() throws {
        let fixture = try PostgresFixture()
        try makeStore(fixture, version: 5)
        try fixture.sql(
            """
            INSERT INTO flow_funnels_segments(funnel, by_value, day, value, attempts)
            VALUES (0, false, 1, '', '\\x000002')
            """
        )
        let error = #expect(throws: StoreError.self) { try PostgresFunnelStore(url: fixture.url) }
        #expect(error?.code == .unusable)
        #expect(try fixture.sql("SELECT version FROM flow_funnels_schema") == "5")
    }
}
