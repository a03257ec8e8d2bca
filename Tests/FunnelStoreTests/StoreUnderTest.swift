import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import FunnelPostgresTestSupport
import Testing

@testable import FunnelStorePostgres
@testable import FunnelStoreSQLite

/// A kind of store. All tests of this target run with every kind; add a new one to ``all``.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens the store of a directory.
    let make: @Sendable (TemporaryDirectory) throws -> any FunnelStore
    /// Opens a reader while the store is open.
    let makeReader: @Sendable (any FunnelStore, TemporaryDirectory) throws -> any FunnelAuditing
    /// Opens a rebuilder while the store is open.
    let makeRebuilder: @Sendable (any FunnelStore, TemporaryDirectory) throws -> any FunnelRebuilding
    /// Connects to the store's database, and returns a function that runs a query for one number.
    let makeQuery: @Sendable (TemporaryDirectory) throws -> (_ sql: String) throws -> Int64

    // If PostgreSQL is not installed, FunnelStorePostgresTests report it.
    static let all = [sqlite] + (PostgresServer.isAvailable ? [postgres] : [])

    static let sqlite = StoreUnderTest(
        testDescription: "SQLite",
        make: { try SQLiteFunnelStore(path: $0.file("funnels.sqlite")) },
        makeReader: { try SQLiteFunnelReader(path: $1.file("funnels.sqlite")) },
        makeRebuilder: { try SQLiteFunnelRebuilder(path: $1.file("funnels.sqlite")) },
        makeQuery: { directory in
            let location = SQLiteStoreLocation(directory.file("funnels.sqlite"))
            let connection = try ReadOnlyConnection(location, busyTimeout: .seconds(5))
            return { sql in
                var result: Int64 = 0
                try SQLiteStatement(connection.handle, sql).forEachRow { result = $0.integer(0) }
                return result
            }
        }
    )

    static let postgres = StoreUnderTest(
        testDescription: "PostgreSQL",
        make: { directory in
            let server = try PostgresServer.shared()
            let schema = try server.makeSchema()
            try Data(server.url(schema: schema).utf8).write(to: URL(fileURLWithPath: directory.file("url")))
            return try PostgresFunnelStore(url: server.url(schema: schema))
        },
        makeReader: { _, directory in
            try PostgresFunnelReader(url: String(contentsOfFile: directory.file("url"), encoding: .utf8))
        },
        makeRebuilder: { _, directory in
            try PostgresFunnelRebuilder(url: String(contentsOfFile: directory.file("url"), encoding: .utf8))
        },
        makeQuery: { directory in
            let url = try String(contentsOfFile: directory.file("url"), encoding: .utf8)
            let connection = try PostgresConnection(url)
            return { try connection.execute($0).integer(0, 0) }
        }
    )
}

/// A store of one kind with its readers and rebuilder, opened for ``StoreFixtures/identity(cluster:topic:funnels:)``.
struct OpenStore {
    let store: any FunnelStore
    let rebuilder: any FunnelRebuilding
    private let kind: StoreUnderTest
    private let directory: TemporaryDirectory

    /// A new reader, which knows the funnels that the store has now.
    var reader: any FunnelAuditing {
        get throws { try kind.makeReader(store, directory) }
    }

    init(_ kind: StoreUnderTest) throws {
        self.kind = kind
        directory = try TemporaryDirectory()
        store = try kind.make(directory)
        #expect(try store.open(StoreFixtures.identity()).isEmpty)
        rebuilder = try kind.makeRebuilder(store, directory)
    }

    /// Connects to the store's database, and returns a function that runs a query for one number.
    func makeQuery() throws -> (_ sql: String) throws -> Int64 {
        try kind.makeQuery(directory)
    }

    @discardableResult
    func commit(
        _ partitions: [PartitionAdvance] = [],
        _ installs: [InstallWrite] = [],
        _ summary: [SummaryDelta] = []
    ) throws -> CommitOutcome {
        try store.commit(StoreCommit(partitions: partitions, installs: installs, summary: summary))
    }
}
