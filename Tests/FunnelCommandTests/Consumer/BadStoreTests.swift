import FlowTestSupport
import Foundation
import FunnelStoreSQLite
import GRDB
import Testing

/// Tests stores that the consumer must not or cannot use.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct BadStoreTests {
    private let pipeline: Pipeline
    private var path: String { pipeline.directory.file("funnels.sqlite") }

    init() throws {
        pipeline = try Pipeline()
    }

    @Test func `a store that another consumer has`() async throws {
        let other = try SQLiteFunnelStore(path: path)
        expect(try await pipeline.count(), 69, saying: "in use by another consumer")
        try other.close()
        #expect(try await pipeline.count().status == 0)
    }

    @Test func `a store that another program has locked`() async throws {
        #expect(try await pipeline.count().status == 0)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        expect(try await pipeline.count(), 69, saying: "locked by another program")
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await pipeline.count().status == 0)
    }

    @Test func `a store that may not be written`() async throws {
        // Paths at which not even a superuser can create files.
        #if os(Linux)
        let place = "/sys/funnels.sqlite"
        #else
        let place = "/funnels.sqlite"
        #endif
        expect(try await pipeline.count("--store", "sqlite:\(place)"), 69, saying: place, "may write it")
    }

    @Test func `a store in a directory that is not there`() async throws {
        expect(try await pipeline.count("--store", "sqlite:nowhere/funnels.sqlite"), 69, saying: "directory exists")
    }

    @Test func `a directory in place of a store, to the consumer, a rebuild and the report`() async throws {
        let name = "sqlite:config"
        expect(try await pipeline.count("--store", name), 65, saying: "config is a directory", "config/funnels.sqlite")
        expect(try await pipeline.report("--store", name), 65, saying: "config is a directory", "--store")
        let rebuild = try await Command(
            "funnel-consumer",
            ["rebuild", "--store", name],
            in: pipeline.directory,
            environment: pipeline.environment
        ).end()
        expect(rebuild, 65, saying: "config is a directory")
    }

    @Test func `a store of a newer version, to the consumer and the report`() async throws {
        #expect(try await pipeline.count().status == 0)
        try await DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
        expect(try await pipeline.count(), 65, saying: "version 99", "--store")
        expect(try await pipeline.report(), 65, saying: "version 99")
    }

    @Test func `a store of an older version, to the consumer and the report`() async throws {
        try await DatabaseQueue(path: path).writeWithoutTransaction { database in
            // "flow" in ASCII, as the stores before version 1 had it.
            try database.execute(sql: "PRAGMA application_id = \(0x666C_6F77)")
            try database.execute(sql: "PRAGMA user_version = 7")
        }
        expect(try await pipeline.count(), 65, saying: "older version", "move the file away", "count again", "--store")
        expect(try await pipeline.report(), 65, saying: "older version", "count again")
    }

    @Test func `a probe needs a store that can be read, and reads no results`() async throws {
        expect(try await pipeline.report("--probe"), 66, saying: "funnels.sqlite")
        #expect(try await pipeline.count().status == 0)
        let sql = "INSERT INTO segments(funnel, by_value, day, value, attempts) VALUES (0, 0, 1, x'', x'FF')"
        try await DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
        expect(try await pipeline.report(), 65, saying: "damaged")
        let probe = try await pipeline.report("--probe")
        #expect(probe.status == 0 && probe.output.isEmpty && probe.errors.isEmpty)
        try pipeline.directory.write("no store", to: "other.sqlite")
        expect(try await pipeline.report("--probe", "--store", "sqlite:other.sqlite"), 65, saying: "no funnel store")
    }

    @Test func `a file that is no database, to the consumer and the report`() async throws {
        let text = String(repeating: "Dear diary, ", count: 500)
        try pipeline.directory.write(text, to: "funnels.sqlite")
        expect(try await pipeline.count(), 65, saying: "no funnel store")
        expect(try await pipeline.report(), 65, saying: "no funnel store")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `a store to report from that is not there`() async throws {
        expect(try await pipeline.report(), 66, saying: "start funnel-consumer first", "--store")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `the URL of a store that cannot be read is a mistake in the configuration`() async throws {
        let outcome = try await pipeline.count("--store", "postgres://me:ge/heim@127.0.0.1/funnels")
        expect(outcome, 78, saying: "postgres://USER:PASSWORD@HOST", "Correct the URL in --store")
        #expect(!outcome.errors.contains("heim"))
    }

    @Test func `a PostgreSQL server that is not there is named, and its password is not`() async throws {
        // No server listens on port 1.
        let outcome = try await pipeline.count("--store", "postgres://me:secret@127.0.0.1:1/funnels")
        #expect(outcome.status == 69 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("127.0.0.1") && !outcome.errors.contains("secret"), "\(outcome.errors)")
    }
}
