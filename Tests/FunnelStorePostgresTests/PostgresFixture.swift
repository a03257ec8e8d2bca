import FunnelStore
import FunnelStorePostgres
import FunnelStoreTestSupport
import Funnels
import FunnelPostgresTestSupport
import Testing

/// A schema for one test.
struct PostgresFixture {
    let server: PostgresServer
    let schema: String
    var url: String { server.url(schema: schema) }

    init(_ server: PostgresServer? = nil) throws {
        self.server = try server ?? PostgresServer.shared()
        schema = try self.server.makeSchema()
    }

    /// A store that belongs to ``StoreFixtures/identity(cluster:topic:funnels:)``.
    func open(_ url: String? = nil, patience: Duration = .seconds(30)) throws -> PostgresFunnelStore {
        let store = try PostgresFunnelStore(url: url ?? self.url, patience: patience)
        _ = try store.open(StoreFixtures.identity())
        return store
    }

    @discardableResult
    func sql(_ statement: String) throws -> String {
        try server.sql(statement, schema: schema)
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that start PostgreSQL.
    static var needsPostgreSQL: Self {
        .enabled(if: PostgresServer.isAvailable, Comment(rawValue: PostgresServer.missing))
    }
}
