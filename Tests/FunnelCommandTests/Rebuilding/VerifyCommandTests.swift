import FlowEvents
import FlowTestSupport
import Foundation
import GRDB
import RDKafka
import FunnelPostgresTestSupport
import Testing

/// Tests the built `funnel-consumer verify` with every kind of store.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct VerifyCommandTests {
    private let pipeline: Pipeline

    init() throws {
        pipeline = try Pipeline(partitions: 2)
    }

    /// A test's store, which SQL changes without the consumer.
    struct DirectStore {
        let url: String
        /// What the names of the tables begin with.
        let prefix: String
        /// How the database writes bytes, before and after their hexadecimal digits.
        let bytes: (before: String, after: String)
        let run: (String) throws -> Void

        func loseInstall(_ install: String) throws {
            let hex = install.utf8.map { String(format: "%02x", $0) }.joined()
            try run("DELETE FROM \(prefix)installs WHERE install = \(bytes.before)\(hex)\(bytes.after)")
        }
    }

    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let open: @Sendable (TemporaryDirectory) throws -> DirectStore

        static let sqlite = Place(testDescription: "SQLite") { directory in
            let path = directory.file("funnels.sqlite")
            return DirectStore(url: "sqlite:\(path)", prefix: "", bytes: ("x'", "'")) { sql in
                try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
            }
        }

        static let postgres = Place(testDescription: "PostgreSQL") { _ in
            let server = try PostgresServer.shared()
            let schema = try server.makeSchema()
            let bytes = (before: #"'\x"#, after: "'")
            return DirectStore(url: server.url(schema: schema), prefix: "flow_funnels_", bytes: bytes) { sql in
                try server.sql(sql, schema: schema)
            }
        }

        // Where PostgreSQL is not installed, FunnelStorePostgresTests say so.
        static let all = [sqlite] + (PostgresServer.isAvailable ? [postgres] : [])
    }

    /// Installs that go from home to the paywall, each on a day of March 2026, published in this order.
    private func publish(_ days: KeyValuePairs<String, Int>) async throws {
        for (install, day) in days {
            let messages = ["home", "paywall"].enumerated().map { minute, screen in
                let time = String(format: "2026-03-%02dT12:%02d:00Z", day, minute)
                let value = """
                    {"specversion":"1.0","id":"\(screen)-\(day)","source":"app://test","type":"screen_view",\
                    "time":"\(time)","data":{"install_id":"\(install)","screen":"\(screen)","paywall_source":"home"}}
                    """
                return ProducerMessage(
                    key: Array(install.utf8),
                    value: Array(value.utf8),
                    timestamp: Timestamp(time)?.milliseconds
                )
            }
            try await pipeline.publish(messages)
        }
    }

    private func verify(_ store: String, _ arguments: String...) async throws -> Command.Outcome {
        try await Command(
            "funnel-consumer",
            ["verify", "--store", store] + arguments,
            in: pipeline.directory,
            environment: pipeline.environment
        ).end()
    }

    @Test(arguments: Place.all)
    func `a right store gives 0, and a lost install 1 with its events`(place: Place) async throws {
        let direct = try place.open(pipeline.directory)
        let store = direct.url
        try await publish(["first": 1, "second": 5, "third": 10])
        #expect(try await pipeline.count("--store", store).status == 0)

        let right = try await verify(store)
        #expect(right.status == 0, "\(right.errors)")
        #expect(right.output == "read 6 records, compared 3 installs and 3 results\nno differences\n")

        try direct.loseInstall("first")
        let wrong = try await verify(store)
        #expect(wrong.status == 1 && !wrong.isKilled, "\(wrong.errors)")
        for part in [
            "results that differ: 1; the first 1:", "home-to-paywall, install first, 2026-03-01",
            "  store: no attempt", "  topic: 2 of 2 steps, up to paywall, after 60000 ms",
            "2026-03-01T12:00:00.000Z home, id home-1 from app://test, only in the topic",
            "2026-03-01T12:01:00.000Z paywall, id paywall-1 from app://test, only in the topic",
        ] { #expect(wrong.output.contains(part), "\(wrong.output)") }

        // This leaves out the records of the first day, and so the difference.
        let later = try await verify(store, "--from-time", "2026-03-02T00:00:00Z")
        #expect(later.status == 0, "\(later.errors)")
        #expect(later.output.contains("compared from 2026-03-"), "\(later.output)")

        try direct.loseInstall("second")
        try direct.loseInstall("third")
        let limited = try await verify(store, "--limit", "2")
        #expect(limited.status == 1)
        #expect(limited.output.contains("results that differ: 3; the first 2:"), "\(limited.output)")
    }

    @Test(arguments: Place.all)
    func `a count that is wrong is a difference, also in a shorter range only, and a rebuild repairs it`(
        place: Place
    ) async throws {
        let store = try place.open(pipeline.directory)
        try await publish(["first": 1, "second": 5])
        #expect(try await pipeline.count("--store", store.url).status == 0)
        let table = "\(store.prefix)result_counts"
        let key = "funnel, by_value, day, value"
        for (change, line) in [
            // These actors count only in ranges that begin after the day before.
            (
                """
                INSERT INTO \(table)(\(key), previous_gap, next_gap, outcome, actors)
                SELECT \(key), 1, 0, outcome, 5 FROM \(table)
                """, "counts that differ in some range of days"
            ),
            (
                """
                INSERT INTO \(table)(\(key), previous_gap, next_gap, outcome, actors)
                SELECT \(key), 0, 0, 1, 5 FROM \(table) WHERE previous_gap = 0
                """, "reports that differ"
            ),
        ] {
            try store.run(change)
            let wrong = try await verify(store.url)
            #expect(wrong.status == 1 && !wrong.isKilled, "\(wrong.errors)")
            let head = "read 4 records, compared 2 installs and 2 results\n"
            #expect(wrong.output == head + "\(line): home-to-paywall\n")
        }
        // There are fewer times than actors now.
        try store.run("UPDATE \(table) SET actors = actors + 1 WHERE previous_gap = 0 AND outcome <> 1")
        let damaged = try await verify(store.url)
        #expect(damaged.status == 65 && damaged.errors.contains("is damaged"), "\(damaged.errors)")
        let rebuild = try Command(
            "funnel-consumer",
            ["rebuild", "--store", store.url, "home-to-paywall"],
            in: pipeline.directory,
            environment: pipeline.environment
        )
        #expect(try await rebuild.end().status == 0)
        #expect(try await verify(store.url).output.hasSuffix("no differences\n"))
    }

    @Test(arguments: Place.all)
    func `a row that cannot be read is told with its install, and gives 65`(place: Place) async throws {
        let store = try place.open(pipeline.directory)
        try await publish(["first": 1])
        #expect(try await pipeline.count("--store", store.url).status == 0)
        try store.run("UPDATE \(store.prefix)installs SET state = \(store.bytes.before)ff\(store.bytes.after)")
        let words = "the row of the install 'first' cannot be read"
        expect(try await verify(store.url), 65, saying: "is damaged (\(words))")
        let rebuild = try Command(
            "funnel-consumer",
            ["rebuild", "--store", store.url, "home-to-paywall"],
            in: pipeline.directory,
            environment: pipeline.environment
        )
        expect(try await rebuild.end(), 65, saying: "is damaged (\(words))")
        try await publish(["first": 2])
        expect(try await pipeline.count("--store", store.url), 65, saying: "is damaged (\(words))", "restore a backup")
    }

    @Test func `only the quality counts that differ are named`() async throws {
        let path = pipeline.directory.file("funnels.sqlite")
        try await publish(["first": 1])
        #expect(try await pipeline.count("--store", "sqlite:\(path)").status == 0)
        try await DatabaseQueue(path: path).write {
            try $0.execute(sql: "UPDATE partitions SET capped = 2, dropped_expired = 1 WHERE partition = 0")
        }
        let outcome = try await verify("sqlite:\(path)")
        #expect(outcome.status == 1, "\(outcome.errors)")
        let line =
            "quality differs: capped 2 in the store, 0 in the topic; dropped expired 1 in the store, 0 in the topic\n"
        #expect(outcome.output.hasSuffix(line), "\(outcome.output)")
    }

    @Test(arguments: Place.all)
    func `it can run beside the service, of which it takes nothing`(place: Place) async throws {
        let store = try place.open(pipeline.directory).url
        try pipeline.writeFastSettings()
        try await publish(["first": 1])
        let service = try pipeline.consumer("--store", store)
        try await service.says("assigned")
        for day in 2...4 {
            try await publish(["install-\(day)": day])
            // The store exists once the service has opened it.
            let outcome = try await verify(store) { $0.status != 66 }
            #expect(outcome.status == 0 && outcome.output.contains("no differences"), "\(outcome.output)")
        }
        // The service counts the last records some time after they are published.
        _ = try await verify(store) { $0.output.contains("read 8 records, compared 4 installs") }
        service.send(SIGTERM)
        #expect(try await service.end().status == 0)
        let outcome = try await verify(store)
        #expect(outcome.output.contains("read 8 records, compared 4 installs"), "\(outcome.output)")
    }

    /// Verifies repeatedly until the outcome is as wanted. Returns the last outcome if it never is.
    private func verify(_ store: String, until isWanted: (Command.Outcome) -> Bool) async throws -> Command.Outcome {
        let deadline = ContinuousClock.now + patience
        while true {
            let outcome = try await verify(store)
            if isWanted(outcome) || ContinuousClock.now > deadline { return outcome }
        }
    }

    @Test(arguments: Place.all)
    func `the temporary store is where it is asked for, and goes at the end and with a signal`(
        place: Place
    ) async throws {
        let store = try place.open(pipeline.directory).url
        let folder = try TemporaryDirectory()
        func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
        try await publish(["first": 1])
        #expect(try await pipeline.count("--store", store).status == 0)
        #expect(try await verify(store, "--scratch-directory", folder.path).status == 0)
        #expect(try files().isEmpty)
        let nowhere = try await verify(store, "--scratch-directory", folder.file("nowhere"))
        expect(nowhere, 69, saying: "cannot be created", folder.file("nowhere"))
        for signal in [SIGINT, SIGTERM, SIGKILL] {
            // Without its leader, the partition cannot be read to its end.
            let partition = TopicPartition(topic: "app-events", partition: 0)
            try pipeline.broker.setLeader(of: partition, to: nil)
            var isKilled = false
            for _ in 0..<20 where !isKilled {
                let stuck = try Command(
                    "funnel-consumer",
                    ["verify", "--store", store, "--scratch-directory", folder.path],
                    in: pipeline.directory,
                    environment: pipeline.environment
                )
                try await until("the temporary store is there, or the command has given up") {
                    try !stuck.isRunning || files().contains { $0.hasSuffix(".lock") }
                }
                if stuck.isRunning { stuck.send(signal) }
                isKilled = try await stuck.end().isKilled
            }
            #expect(isKilled)
            #expect(try files().isEmpty == (signal != SIGKILL))
            try pipeline.broker.setLeader(of: partition, to: 1)
        }
        // The next one removes what the killed one has left.
        #expect(try await verify(store, "--scratch-directory", folder.path).status == 0)
        #expect(try files().isEmpty)
    }

    @Test(arguments: Place.all)
    func `a store that is not there gives 66, another topic's 65`(place: Place) async throws {
        let store = try place.open(pipeline.directory).url
        expect(try await verify(store), 66, saying: "start funnel-consumer first")
        #expect(try await pipeline.count("--store", store).status == 0)
        expect(try await verify(store, "--topic", "app-events.dlq", "--dead-letter-topic", "x"), 65, saying: "topic")
    }
}
