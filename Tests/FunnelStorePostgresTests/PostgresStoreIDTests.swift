import FunnelStore
import FunnelStorePostgres
import Testing

@Suite(.needsPostgreSQL) struct PostgresStoreIDTests {
    @Test func `consumers of one store see one id, and another store has another`() throws {
        let (first, second) = (try PostgresFixture(), try PostgresFixture())
        let stores = try [first.open(), first.open(), second.open()]
        defer { for store in stores { store.close() } }
        let ids = try stores.map { try #require(try $0.sharedID()) }
        #expect(ids[0] == ids[1] && ids[0] != ids[2])
        #expect(ids.allSatisfy { $0.count == 12 && $0.allSatisfy(\.isHexDigit) })
    }
}
