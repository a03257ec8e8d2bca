import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import FunnelPostgresTestSupport
import Testing

@testable import FunnelStorePostgres
@testable import Funnels

/// The errors of consumers and reports for a database that they cannot use.
@Suite(.waits, .needsPostgreSQL) struct BadStoreTests {
    private let fixture: PostgresFixture

    init() throws {
        fixture = try PostgresFixture()
    }

    private func consumerError(_ url: String? = nil) -> StoreError? {
        #expect(throws: StoreError.self) {
            _ = try PostgresFunnelStore(url: url ?? fixture.url, patience: .milliseconds(100))
                .open(StoreFixtures.identity())
        }
    }

    private func reportError(_ url: String? = nil) -> StoreError? {
        #expect(throws: StoreError.self) { try PostgresFunnelReader(url: url ?? fixture.url) }
    }

    private func expectEach(
        _ errors: [StoreError?],
        are kind: (String) -> StoreError,
        saying parts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for error in errors {
            let text = error?.description ?? ""
            #expect(error == kind(text), sourceLocation: sourceLocation)
            for part in parts { #expect(text.contains(part), "\(text)", sourceLocation: sourceLocation) }
        }
    }

    @Test func `a report on a database without a store says so and makes no table`() throws {
        expectEach(
            [reportError()],
            are: StoreError.missing,
            saying: "a consumer that counts there creates it",
            fixture.server.directory
        )
        #expect(try fixture.sql("SELECT to_regclass('flow_funnels_store') IS NULL") == "t")
    }

    @Test func `a report on a store that no consumer has begun to count in says so`() throws {
        try PostgresFunnelStore(url: fixture.url).close()
        expectEach([reportError()], are: StoreError.missing, saying: "still empty")
    }

    /// If this fails, this build may not be able to use the stores of older builds. Raise the version of the tables, and then
    /// update the figure. The columns' contents have the same form as in SQLite, where a test pins it.
    @Test func `the tables keep their form`() {
        var hash = Fingerprint()
        Array(PostgresSchema.tables.utf8).withUnsafeBytes { hash.combine($0) }
        #expect(hash.value == 3_013_779_444)
    }

    @Test func `a newer store is refused by version`() throws {
        try fixture.open().close()
        try fixture.sql("UPDATE flow_funnels_store SET version = 99")
        expectEach([consumerError(), reportError()], are: StoreError.newer, saying: "store version 99")
    }

    @Test func `a store of version 1 is refused as an older one`() throws {
        try fixture.open().close()
        try fixture.sql("UPDATE flow_funnels_store SET version = 1")
        expectEach([consumerError(), reportError()], are: StoreError.older, saying: "drop its tables (flow_funnels_*)")
    }

    @Test func `a store of an older version is refused with the way to count again, and left alone`() throws {
        try fixture.sql("CREATE TABLE flow_funnels_schema(version bigint NOT NULL)")
        let rebuilding = #expect(throws: StoreError.self) { try PostgresFunnelRebuilder(url: fixture.url) }
        expectEach(
            [consumerError(), reportError(), rebuilding],
            are: StoreError.older,
            saying: "older version",
            "drop its tables (flow_funnels_*)",
            "count again from what the topic still has"
        )
        #expect(try fixture.sql("SELECT to_regclass('flow_funnels_store') IS NULL") == "t")
    }

    @Test func `of consumers that start at once on an empty database, one creates the tables`() async throws {
        let url = fixture.url
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { try await onThread { try PostgresFunnelStore(url: url).close() } }
            }
            try await group.waitForAll()
        }
        #expect(try fixture.sql("SELECT version FROM flow_funnels_store") == "\(PostgresSchema.version)")
    }

    @Test func `a store keeps the transitions of time zones by their names`() throws {
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

    @Test func `a store of other data is refused and left alone`() throws {
        try fixture.open().close()
        let store = try PostgresFunnelStore(url: fixture.url)
        let error = #expect(throws: StoreError.self) {
            try store.open(StoreFixtures.identity(topic: "other"))
        }
        expectEach([error], are: StoreError.otherData, saying: "'app-events'", "'other'")
        #expect(try fixture.sql("SELECT topic FROM flow_funnels_identity") == "app-events")
    }

    @Test func `other descriptions are kept, and the counts stay`() throws {
        try fixture.open().close()
        let funnels = try [StoreFixtures.funnel("first", description: "New"), StoreFixtures.funnel("second")]
        let store = try PostgresFunnelStore(url: fixture.url)
        _ = try store.open(StoreFixtures.identity(funnels: funnels))
        #expect(try PostgresFunnelReader(url: fixture.url).funnels == funnels)
    }

    @Test func `tables of another form are reported as a damaged store`() throws {
        try fixture.open().close()
        try fixture.sql("DROP TABLE flow_funnels_partitions; ALTER TABLE flow_funnels_identity DROP COLUMN topic")
        expectEach([consumerError(), reportError()], are: StoreError.unusable, saying: "is damaged")
    }

    @Test func `a segment that cannot be read is reported as a damaged store`() throws {
        let store = try fixture.open()
        let delta = SummaryDelta.numbered(StoreFixtures.key(0, nil, day: 1), [1: 1])
        let commit = StoreCommit(partitions: [], installs: [], summary: [delta])
        #expect(try store.commit(commit) == .committed)
        try fixture.sql(#"UPDATE flow_funnels_segments SET attempts = '\xff'"#)
        let writing = #expect(throws: StoreError.self) { try store.commit(commit) }
        let reader = try PostgresFunnelReader(url: fixture.url)
        let reading = #expect(throws: StoreError.self) { try reader.withSnapshot { _ in throw DamagedSummary() } }
        expectEach([writing, reading], are: StoreError.unusable, saying: "is damaged")
    }

    @Test func `a count whose outcome cannot be is reported as a damaged store`() throws {
        let store = try fixture.open()
        let delta = SummaryDelta.numbered(StoreFixtures.key(0, nil, day: 1), [1: 1])
        #expect(try store.commit(StoreCommit(partitions: [], installs: [], summary: [delta])) == .committed)
        for code in [0, -1, 63, 1 << 41, 2 << 9 | 1] as [Int64] {
            try fixture.sql("UPDATE flow_funnels_result_counts SET outcome = \(code)")
            let reader = try PostgresFunnelReader(url: fixture.url)
            let error = #expect(throws: StoreError.self) {
                try reader.withSnapshot { source throws in _ = try source.counts(funnel: 0, byValue: false) }
            }
            expectEach([error], are: StoreError.unusable, saying: "is damaged (a count has the outcome \(code))")
        }
    }

    @Test func `a role that may only read takes no commit but gives reports`() throws {
        try fixture.open().close()
        let role = "r" + fixture.schema
        try fixture.sql(
            """
            CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(fixture.schema) TO \(role);
            GRANT SELECT ON ALL TABLES IN SCHEMA \(fixture.schema) TO \(role)
            """
        )
        let url = fixture.url.replacingOccurrences(of: "user=funnels", with: "user=\(role)")
        #expect(try PostgresFunnelReader(url: url).withSnapshot { try $0.quality() } == Quality())
        let store = try PostgresFunnelStore(url: url)
        let error = #expect(throws: StoreError.self) {
            try store.commit(
                StoreCommit(partitions: [StoreFixtures.advance(0, from: nil, to: 1)], installs: [], summary: [])
            )
        }
        expectEach([error], are: StoreError.unavailable, saying: "grant this user")
    }

    @Test func `the error for a server that cannot be reached names it, and never the password`() throws {
        let server = fixture.server.directory
        for url in [
            "postgres://someone:geheim@/nowhere?host=\(server)",
            "postgres://someone@/nowhere?host=\(server)&password=geheim",
            "postgres://someone:geheim@localhost:1/nowhere",
        ] {
            let errors = [consumerError(url), reportError(url)]
            expectEach(errors, are: StoreError.unavailable, saying: "someone@", "/nowhere", "cannot be reached")
            for error in errors { #expect(error?.description.contains("geheim") == false) }
        }
    }

    @Test(arguments: [
        "postgres://user:ge/heim@host/database", "postgres://user:geheim%@host/database", "postgres://user:geheim",
        "postgres://user:ge@heim/x@host/database", "postgres://host/database?geheim", "postgres://[geheim",
    ])
    func `the error for a URL that cannot be parsed quotes nothing of it`(url: String) {
        for error in [consumerError(url), reportError(url)] {
            expectEach([error], are: StoreError.invalidURL, saying: "postgres://USER:PASSWORD@HOST")
            #expect(error?.description.contains("heim") == false)
        }
    }

    @Test(arguments: [
        ("postgres://127.0.0.1:99999/x", "has the port 99999"),
        ("postgres://someone:geheim@localhost/x?sslmode=bogus", "an unknown sslmode"),
    ]) func `a URL with a value that cannot be right is a mistake in it`(url: String, message: String) {
        for error in [consumerError(url), reportError(url)] {
            expectEach([error], are: StoreError.invalidURL, saying: message)
            #expect(error?.description.contains("geheim") == false)
        }
    }

    @Test func `a store that was closed says so`() throws {
        let store = try fixture.open()
        store.close()
        let error = #expect(throws: StoreError.self) { try store.progress() }
        expectEach([error], are: StoreError.unavailable, saying: "was closed")
        #expect(try fixture.sql("SELECT count(*) FROM flow_funnels_writers") == "0")
    }
}
