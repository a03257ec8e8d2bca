import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import GRDB
import FlowProcessTestSupport
import Testing

@testable import FunnelStoreSQLite

/// The errors of consumers and reports for a file that they cannot use.
@Suite struct BadStoreTests {
    typealias Fixtures = StoreFixtures

    private let directory: TemporaryDirectory
    private var path: String { directory.file("funnels.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func makeStore(installs: Int = 0) throws {
        let store = try SQLiteFunnelStore(path: path)
        _ = try store.open(Fixtures.identity())
        let writes = (0..<installs).map {
            Fixtures.write("install-\($0)", after: 0, String(repeating: "x", count: 500))
        }
        let counts = Dictionary(uniqueKeysWithValues: (0..<2000).map { ($0, 1) })
        _ = try store.commit(
            StoreCommit(
                partitions: [Fixtures.advance(0, from: nil, to: 9)],
                installs: writes,
                summary: [SummaryDelta.numbered(Fixtures.key(0, nil, day: 1), counts)]
            )
        )
        try store.close()
    }

    private func consumerError() -> StoreError? {
        #expect(throws: StoreError.self) { try SQLiteFunnelStore(path: path, busyTimeout: .zero) }
    }

    private func reportError() -> StoreError? {
        #expect(throws: StoreError.self) { try SQLiteFunnelReader(path: path, busyTimeout: .zero) }
    }

    private func expectEach(
        _ errors: [StoreError?],
        are kind: (String) -> StoreError,
        saying part: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for error in errors {
            let text = error?.description ?? ""
            #expect(error == kind(text), sourceLocation: sourceLocation)
            #expect(text.contains(part) && text.contains(directory.path), sourceLocation: sourceLocation)
        }
    }

    @Test func `a report on a store that is not there says so and makes no file`() throws {
        expectEach([reportError()], are: StoreError.missing, saying: "a consumer that counts there creates it")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test func `a report on a store at rest makes no file`() throws {
        try makeStore()
        let before = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        _ = try SQLiteFunnelReader(path: path).withSnapshot { try $0.counts(funnel: 0, byValue: false) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == before)
    }

    @Test func `a store that changes while a report reads it at rest is to be read again, whatever the reading found`()
        throws
    {
        try makeStore()
        let connection = try ReadOnlyConnection(SQLiteStoreLocation(path), busyTimeout: .zero)
        let error = #expect(throws: StoreError.self) {
            try connection.withTransaction {
                try Data(contentsOf: URL(filePath: path)).write(to: URL(filePath: path))
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
        }
        #expect(error?.code == .unavailable && error?.description.contains("was changed while it was read") == true)
    }

    @Test func `a report on a store that no consumer has begun to count in says so`() throws {
        try Data().write(to: URL(fileURLWithPath: path))
        expectEach([reportError()], are: StoreError.missing, saying: "still empty")
        try SQLiteFunnelStore(path: path).close()
        expectEach([reportError()], are: StoreError.missing, saying: "still empty")
    }

    @Test func `a file that is no database is refused and left alone`() throws {
        let text = Data(String(repeating: "Dear diary, ", count: 500).utf8)
        try text.write(to: URL(fileURLWithPath: path))
        expectEach([consumerError(), reportError()], are: StoreError.unusable, saying: "no funnel store")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
    }

    @Test func `another program's database is refused and left alone`() throws {
        try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE songs(name TEXT)") }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        expectEach([consumerError(), reportError()], are: StoreError.unusable, saying: "another program")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `a newer store is refused by version`() throws {
        try makeStore()
        try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
        expectEach([consumerError(), reportError()], are: StoreError.newer, saying: "store version 99")
    }

    @Test func `a store of version 1 is refused as an older one`() throws {
        try makeStore()
        try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 1") }
        expectEach([consumerError(), reportError()], are: StoreError.older, saying: "move the file away")
    }

    @Test func `a store of an older version is refused with the way to count again, and left alone`() throws {
        try DatabaseQueue(path: path).writeWithoutTransaction { database in
            try database.execute(sql: "CREATE TABLE identity(id INTEGER)")
            try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.oldApplicationID)")
            try database.execute(sql: "PRAGMA user_version = 7")
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let rebuilding = #expect(throws: StoreError.self) { try SQLiteFunnelRebuilder(path: path) }
        for part in ["older version", "move the file away", "count again from what the topic still has"] {
            expectEach([consumerError(), reportError(), rebuilding], are: StoreError.older, saying: part)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `a crash while the tables are created leaves an empty file for the next start`() throws {
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            // What does not fit into the cache is written to the log before the commit.
            try database.execute(sql: "PRAGMA cache_size = 1")
            try database.inTransaction(.immediate) {
                try database.execute(sql: SQLiteSchema.tables)
                // The files as a crash at this moment leaves them.
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(
                        atPath: path + suffix,
                        toPath: directory.file("crashed.sqlite") + suffix
                    )
                }
                return .rollback
            }
        }
        try database.close()
        let store = try SQLiteFunnelStore(path: directory.file("crashed.sqlite"))
        #expect(try store.open(Fixtures.identity()).isEmpty)
        try store.close()
    }

    @Test func `a store keeps the transitions of time zones by their names`() throws {
        try SQLiteFunnelStore(path: path).close()
        try DatabaseQueue(path: path).writeWithoutTransaction { database in
            let queries = try SQLiteStoreQueries(database, SQLiteStoreLocation(path))
            #expect(try queries.timeZone("Europe/Berlin") == nil)
            for transitions in [[1, 2], [3]] as [[UInt8]] { try queries.setTimeZone("Europe/Berlin", transitions) }
            #expect(try queries.timeZone("Europe/Berlin") == [3])
            #expect(try queries.timeZone("Europe/Paris") == nil)
        }
    }

    @Test func `a file cut short is damaged`() throws {
        try makeStore(installs: 500)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 30_000)
        try file.close()
        expectEach([consumerError(), reportError()], are: StoreError.unusable, saying: "is damaged")
    }

    @Test func `a damaged page is found when it is read`() throws {
        try makeStore(installs: 500)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try file.seekToEnd()
        // All pages but the first, which has the schema.
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4096))
        try file.close()
        expectEach([reportError(), consumerError()], are: StoreError.unusable, saying: "is damaged")
    }

    @Test func `a segment that cannot be read is reported as a damaged store`() throws {
        try makeStore()
        try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE segments SET attempts = x'ff'") }
        let store = try SQLiteFunnelStore(path: path)
        _ = try store.open(Fixtures.identity())
        let delta = SummaryDelta.numbered(Fixtures.key(0, nil, day: 1), [1: 1])
        let writing = #expect(throws: StoreError.self) {
            try store.commit(StoreCommit(partitions: [], installs: [], summary: [delta]))
        }
        let reader = try SQLiteFunnelReader(path: path)
        let reading = #expect(throws: StoreError.self) { try reader.withSnapshot { _ in throw DamagedSummary() } }
        expectEach([writing, reading], are: StoreError.unusable, saying: "is damaged")
    }

    @Test func `a count whose outcome cannot be is reported as a damaged store`() throws {
        try makeStore()
        try DatabaseQueue(path: path).write { try $0.execute(sql: "DELETE FROM result_counts WHERE outcome > 1") }
        for code in [0, -1, 63, 1 << 41, 2 << 9 | 1] as [Int64] {
            let sql = "UPDATE result_counts SET outcome = \(code)"
            try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
            let reader = try SQLiteFunnelReader(path: path)
            let error = #expect(throws: StoreError.self) {
                try reader.withSnapshot { source throws in _ = try source.counts(funnel: 0, byValue: false) }
            }
            expectEach([error], are: StoreError.unusable, saying: "is damaged (a count has the outcome \(code))")
        }
    }

    @Test func `a store that another program has locked is unavailable to the consumer and open to reports`() throws {
        try makeStore()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        defer { try? other.inDatabase { try $0.execute(sql: "ROLLBACK") } }
        let store = try SQLiteFunnelStore(path: path, busyTimeout: .zero)
        let error = #expect(throws: StoreError.self) { try store.open(Fixtures.identity()) }
        expectEach([error], are: StoreError.unavailable, saying: "locked by another program")
        #expect(try SQLiteFunnelReader(path: path).funnels.count == 2)
    }

    @Test func `the error for a missing directory names it`() {
        let path = directory.file("nowhere/funnels.sqlite")
        let error = #expect(throws: StoreError.self) { try SQLiteFunnelStore(path: path) }
        expectEach([error], are: StoreError.unavailable, saying: "check that its directory exists")
    }

    @Test func `a directory that may not be written takes no store but gives reports`() throws {
        try makeStore()
        try FileManager.default.removeItem(atPath: path + ".lock")
        try giveAway([path, directory.path], mode: 0o555)
        #expect(try HelperProcess("funnel-store-helper", "report", path, "--unprivileged").finish() == "done\n")
        let refusal = try HelperProcess("funnel-store-helper", "open", path, "--unprivileged").finish()
        #expect(refusal.hasPrefix("unavailable: the store \(path)") && refusal.contains("may write it"))
    }

    @Test func `a file that may not be written takes no commit but gives reports`() throws {
        try makeStore()
        try giveAway([path + ".lock", directory.path], mode: 0o755)
        try giveAway([path], mode: 0o400)
        #expect(try HelperProcess("funnel-store-helper", "report", path, "--unprivileged").finish() == "done\n")
        let refusal = try HelperProcess("funnel-store-helper", "open", path, "--unprivileged").finish()
        #expect(refusal.hasPrefix("unavailable: the store \(path) may not be written"))
    }

    /// Sets the permissions of files. If the tests run as a superuser, it also gives the files to the helper's user.
    private func giveAway(_ paths: [String], mode: Int) throws {
        for path in paths {
            var attributes: [FileAttributeKey: Int] = [.posixPermissions: mode]
            if geteuid() == 0 { attributes[.ownerAccountID] = 65_534 }
            try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
        }
    }
}
