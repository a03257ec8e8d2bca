import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import GRDB
import Testing

@testable import FunnelStoreSQLite

@Suite struct CappedMigrationTests {
    @Test func `a store of the first version keeps its counts, and has capped no install`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("funnels.sqlite")
        let database = try DatabaseQueue(path: path)
        try database.write { database in
            try database.execute(sql: SQLiteSchema.steps[0])
            try database.execute(sql: "INSERT INTO partitions VALUES (0, 9, 5, 8, 1, 2, 1)")
            try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.applicationID)")
            try database.execute(sql: "PRAGMA user_version = 1")
        }
        try database.close()
        let store = try SQLiteFunnelStore(path: path)
        let quality = Quality(events: 8, duplicates: 1, late: 2, deadLetters: 1)
        #expect(try store.progress().map(\.quality) == [quality])
        let advance = StoreFixtures.advance(0, from: 9, to: 10, quality: Quality(events: 1, capped: 1))
        _ = try store.open(StoreFixtures.identity())
        #expect(try store.commit(StoreCommit(partitions: [advance], installs: [], summary: [])) == .committed)
        #expect(try store.progress().map(\.quality) == [quality + Quality(events: 1, capped: 1)])
        try store.close()
    }
}
