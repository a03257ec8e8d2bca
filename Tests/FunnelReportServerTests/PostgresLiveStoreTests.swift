import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import FunnelStore
import FunnelStorePostgres
import FunnelStoreTestSupport
import Testing

@testable import FunnelReportServer

/// A server beside consumers that write, lock, upgrade and lose a PostgreSQL database.
@Suite(
    .waits,
    .timeLimit(.minutes(10)),
    .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed: run scripts/bootstrap --tests")
)
struct PostgresLiveStoreTests {
    /// Opens a store as the command does, but waits less for locks.
    private static func opening(_ url: String) -> StoreOpening {
        StoreOpening(keepsReaders: true) {
            try PostgresFunnelReader(url: url, statementTimeout: .milliseconds(300))
        }
    }

    private static func filled(_ url: String) async throws -> FilledStore {
        try await onThread { try FilledStore(PostgresFunnelStore(url: url)) }
    }

    @Test func `a locked and a missing table are 503 until they are back`() async throws {
        let postgres = try await onThread { try PostgresServer.shared() }
        let schema = try await onThread { try postgres.makeSchema() }
        let url = postgres.url(schema: schema)
        var filled = try await Self.filled(url)
        try await RunningServer.with(Self.opening(url)) { server in
            let first = try await server.get("/funnels/first")
            #expect(first.status == 200)
            let tag = try #require(first.headers["etag"])
            #expect(try await server.get("/funnels/first", ["If-None-Match": tag]).status == 304)
            try filled.commit([(0, 19, 50, 50)])
            #expect(try await server.get("/funnels/first", ["If-None-Match": tag]).status == 200)
            _ = try await onThread { try postgres.sql("CREATE TABLE released(id int)", schema: schema) }
            // Until the test has seen the lock: a busy machine may ask later than any time that is fixed.
            // No event wakes a block of SQL, so it looks again and again for the row that ends it.
            let lock = """
                BEGIN; LOCK TABLE flow_funnels_partitions IN ACCESS EXCLUSIVE MODE;
                DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM released) LOOP PERFORM pg_sleep(0.05); END LOOP; END $$; COMMIT
                """
            let locking = Task { try await onThread { try postgres.sql(lock, schema: schema) } }
            try await until("the lock is there") { try await server.get("/funnels/first").status == 503 }
            _ = try await onThread { try postgres.sql("INSERT INTO released VALUES (1)", schema: schema) }
            _ = try await locking.value
            #expect(try await server.get("/funnels/first").status == 200)
            let rename = "ALTER TABLE flow_funnels_identity RENAME TO elsewhere"
            _ = try await onThread { try postgres.sql(rename, schema: schema) }
            let gone = try await server.get("/funnels/first")
            #expect(gone.status == 503)
            let back = "ALTER TABLE elsewhere RENAME TO flow_funnels_identity"
            _ = try await onThread { try postgres.sql(back, schema: schema) }
            #expect(try await server.get("/funnels/first").status == 200)
        }
    }

    @Test func `a store that a newer version has upgraded is 503 with the reason`() async throws {
        let postgres = try await onThread { try PostgresServer.shared() }
        let schema = try await onThread { try postgres.makeSchema() }
        let url = postgres.url(schema: schema)
        _ = try await Self.filled(url)
        try await RunningServer.with(Self.opening(url)) { server in
            #expect(try await server.get("/").status == 200)
            for (change, status) in [("+", 503), ("-", 200)] {
                let upgrade = "UPDATE flow_funnels_store SET version = version \(change) 1"
                _ = try await onThread { try postgres.sql(upgrade, schema: schema) }
                let page = try await server.get("/")
                #expect(page.status == status)
                #expect(page.body.contains("newer") == (status == 503), "\(page.body.prefix(200))")
            }
        }
    }

    @Test func `a connection that is cut is opened again, and a stopped database is 503 until it runs`() async throws {
        let postgres = try await onThread { try PostgresServer() }
        let url = postgres.url(schema: "public")
        _ = try await Self.filled(url)
        try await RunningServer.with(Self.opening(url)) { server in
            #expect(try await server.get("/funnels/first").status == 200)
            let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            _ = try await onThread { try postgres.sql(cut) }
            #expect(try await server.get("/funnels/first").status == 200)
            try await onThread { try postgres.stop() }
            let lost = try await server.get("/funnels/first")
            #expect(lost.status == 503 && lost.headers["retry-after"] == "2")
            #expect(lost.body.contains("cannot be reached"))
            #expect(try await server.get("/readyz").status == 503)
            #expect(try await server.get("/healthz").status == 200)
            try await onThread { try postgres.start() }
            #expect(try await server.get("/funnels/first").status == 200)
        }
    }
}
