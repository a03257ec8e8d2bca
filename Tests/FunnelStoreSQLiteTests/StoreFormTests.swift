import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import GRDB
import Testing

@testable import FunnelStoreSQLite
@testable import Funnels

/// The form of a store. A store outlives the build that has written it.
@Suite struct StoreFormTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// If this fails, this build may misread the stores of older builds. Raise the version of the tables, and then update the
    /// figures. A change that writes other values in the same form needs no new version.
    @Test func `the tables and their contents keep their form`() throws {
        let path = directory.file("funnels.sqlite")
        let store = try SQLiteFunnelStore(path: path)
        let funnel = try Fixtures.funnel("f")
        _ = try store.open(Fixtures.identity(funnels: [funnel]))
        try count(45, of: funnel, in: store)
        let hashes = try Self.hashes(of: path)
        #expect(
            hashes == [
                "definitions": 435_610_063, "funnels": 493_702_163, "installs": 168_834_177,
                "partitions": 4_206_069_236, "result_counts": 1_172_613_312, "row_log": 2_626_154_437,
                "segments": 1_367_130_551,
            ]
        )
        try store.close()
    }

    private typealias Fixtures = StoreFixtures

    /// Counts events of three installs, in three commits.
    private func count(_ eventCount: Int, of funnel: Funnel, in store: SQLiteFunnelStore) throws {
        var collector = FunnelCollector(funnels: [funnel])
        var counter = FunnelCounter(funnels: [funnel])
        for number in 0..<eventCount {
            var event = screenView(
                ["home", "paywall"][number / 3 % 2],
                "install \(number % 3)",
                second: Int64(number) * 9000
            )
            event.properties = ["level": .number(2), "platform": .string(number % 4 == 0 ? "ios" : "android")]
            event.sequence = Int64(number / 3)
            EventFields.with(event, fields: collector.fields) { collector.insert($0, partition: 0) }
            guard number % 15 == 14 else { continue }
            var batch = counter.batch(of: collector.takeInterval())
            try batch.count { _ in [] }
            let totals = CountedTotals(batch)
            let advance = Fixtures.advance(
                0,
                from: number == 14 ? nil : Int64(number - 14),
                to: Int64(number + 1),
                watermark: event.time.milliseconds
            )
            let commit = StoreCommit(partitions: [advance], installs: batch.writes, summary: totals.summary())
            #expect(try store.commit(commit) == .committed)
            counter.confirm(batch)
        }
    }

    /// A hash of the tables' definitions, and one of each table's rows.
    private static func hashes(of path: String) throws -> [String: UInt32] {
        let database = try DatabaseQueue(path: path)
        defer { try? database.close() }
        return try database.read { database in
            var hashes = ["definitions": try hash("SELECT sql FROM sqlite_master ORDER BY name", database)]
            for table in ["funnels", "installs", "partitions", "result_counts", "row_log", "segments"] {
                hashes[table] = try hash("SELECT * FROM \(table)", database)
            }
            return hashes
        }
    }

    private static func hash(_ sql: String, _ database: Database) throws -> UInt32 {
        var hash = Fingerprint()
        for row in try Row.fetchAll(database, sql: sql) {
            for value in row.databaseValues {
                let bytes = Data.fromDatabaseValue(value).map(Array.init) ?? Array("\(value)".utf8)
                bytes.withUnsafeBytes { hash.combine($0) }
            }
        }
        return hash.value
    }
}
