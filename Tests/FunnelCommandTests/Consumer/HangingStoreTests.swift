import FlowTestSupport
import Foundation
import RDKafka
import FunnelPostgresTestSupport
import Testing

/// Tests a store that stops answering.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(10)),
    .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed: run scripts/bootstrap --tests")
)
struct HangingStoreTests {
    private func homes(_ installs: Range<Int>) -> [ProducerMessage] {
        installs.map { install in
            let value = """
                {"specversion":"1.0","id":"home","source":"app://test","type":"screen_view",\
                "time":"2026-03-02T00:00:00Z","data":{"install_id":"i\(install)","screen":"home"}}
                """
            return ProducerMessage(key: Array("i\(install)".utf8), value: Array(value.utf8))
        }
    }

    @Test(arguments: [true, false])
    func `a commit that hangs holds up no shutdown, and counts once whether it happens or not`(
        happens: Bool
    ) async throws {
        let pipeline = try Pipeline(partitions: 1)
        try pipeline.writeFastSettings("shutdown_timeout: 2s")
        let server = try PostgresServer.shared()
        let schema = try server.makeSchema()
        let direct = ["STORE_URL": server.url(schema: schema)]
        let proxy = try CuttingProxy(upstream: server.directory)
        let held = ["STORE_URL": server.url(schema: schema, socket: proxy.directory) + "&application_name=\(schema)"]
        // The proxy's thread waits until the commit is released, also if the test fails.
        var isHeld = false
        defer { if isHeld { proxy.release() } }

        try await pipeline.publish(homes(0..<100))
        #expect(try await pipeline.count(environment: direct).status == 0)
        let consumer = try pipeline.consumer(environment: held)
        try await consumer.says("assigned")
        proxy.cutNext(.hold)
        isHeld = true
        try await pipeline.publish(homes(100..<300))
        try await until("the commit is under way") { proxy.cutCount == 1 }
        let signal = ContinuousClock.now
        consumer.send(SIGTERM)
        let outcome = try await consumer.end()
        // The supervisor would wait for 30 seconds.
        #expect(ContinuousClock.now - signal < .seconds(25))
        expect(outcome, 69, saying: "the last commit was not done 2.0 seconds after the signal", "nothing is lost")

        // The process has exited. The server may receive the commit now, or never.
        if happens {
            proxy.release()
            isHeld = false
        } else {
            try server.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(schema)'"
            )
        }
        let again = try await pipeline.count(environment: direct)
        #expect(again.status == 0, "\(again.errors)")
        let report = try await pipeline.report("--format", "json", environment: direct)
        let counted = try Report(report.output)
        #expect(counted.quality == Report.Quality(events: 300, duplicates: 0, late: 0, dead_letters: 0))
        #expect(counted.counts("home-to-paywall") == [300, 0])
        let verified = try await Command(
            "funnel-consumer",
            ["verify"],
            in: pipeline.directory,
            environment: pipeline.environment.merging(direct) { $1 }
        ).end()
        #expect(verified.status == 0, "\(verified.output)")
    }

    @Test(arguments: [true, false])
    func `a database that may only be read by its settings ends the consumer at once, which says so`(
        exitsAtEnd: Bool
    ) async throws {
        let pipeline = try Pipeline(partitions: 1)
        let server = try PostgresServer.shared()
        let url = server.url(schema: try server.makeSchema())
        try await pipeline.publish(homes(0..<10))
        #expect(try await pipeline.count(environment: ["STORE_URL": url]).status == 0)
        let readOnly = ["STORE_URL": url + "%20-cdefault_transaction_read_only%3Don"]
        let start = ContinuousClock.now
        let outcome =
            exitsAtEnd
            ? try await pipeline.count(environment: readOnly) : try await pipeline.consumer(environment: readOnly).end()
        // No attempt is repeated for a minute.
        #expect(ContinuousClock.now - start < .seconds(30))
        expect(outcome, 69, saying: "may only be read", "switch default_transaction_read_only off")
        #expect(!outcome.errors.contains("trying again") && !outcome.errors.contains("Kafka"), "\(outcome.errors)")
    }

    @Test func `a store that takes no call at the start is told in the log, and is the reason of a shutdown at once`()
        async throws
    {
        let pipeline = try Pipeline(partitions: 1)
        try pipeline.writeFastSettings("shutdown_timeout: 120s")
        let server = try PostgresServer.shared()
        let schema = try server.makeSchema()
        let url = server.url(schema: schema)
        try await pipeline.publish(homes(0..<10))
        #expect(try await pipeline.count(environment: ["STORE_URL": url]).status == 0)
        try server.sql("CREATE TABLE released(id int)", schema: schema)
        // No event wakes a block of SQL, so it looks again and again for the row that ends it.
        let lock = """
            BEGIN; LOCK TABLE flow_funnels_partitions IN ACCESS EXCLUSIVE MODE;
            DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM released) LOOP PERFORM pg_sleep(0.05); END LOOP; END $$; COMMIT
            """
        let locking = Task { try await onThread { try server.sql(lock, schema: schema) } }
        let locks = "SELECT count(*) FROM pg_locks WHERE relation = 'flow_funnels_partitions'::regclass AND granted"
        try await until("the table is locked") { try server.sql(locks, schema: schema) == "1" }
        let consumer = try pipeline.consumer(environment: ["STORE_URL": url + "%20-cstatement_timeout%3D200"])
        try await consumer.says("the store is not available; trying again")
        let signal = ContinuousClock.now
        consumer.send(SIGTERM)
        let outcome = try await consumer.end()
        #expect(ContinuousClock.now - signal < .seconds(60))
        expect(outcome, 69, saying: "canceled a statement", "raise statement_timeout")
        let last = try #require(outcome.errors.split(separator: "\n").last)
        #expect(last.contains("canceled a statement") && !last.contains("Kafka"))
        try server.sql("INSERT INTO released VALUES (1)", schema: schema)
        _ = try await locking.value
    }
}
