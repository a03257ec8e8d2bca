public import FunnelStore
public import Funnels

/// Changes the funnels of a store in a PostgreSQL database, even while consumers count in it.
///
/// ```swift
/// let rebuilder = try PostgresFunnelRebuilder(url: "postgres://funnels@db.example.com/funnels")
/// let funnels = try rebuilder.identity()?.funnels
/// ```
///
/// It writes in one transaction that locks the store's funnels. The lock waits for running commits. Later commits
/// report the new funnels.
public final class PostgresFunnelRebuilder: FunnelRebuilding {
    private let location: PostgresStoreLocation
    private let connection: PostgresConnection

    /// Connects to the database at `url`, whose store must exist and have this program's version.
    ///
    /// - Throws: `StoreError`, with `StoreError.Code.missing` if there is no store.
    public init(url: String) throws(StoreError) {
        let location = try PostgresStoreLocation(url)
        self.location = location
        connection = try location.translating {
            let connection = try PostgresConnection(location.url)
            try PostgresPooler.refuse(connection, location)
            try SessionSettings.apply(to: connection)
            try PostgresSchema.check(connection, location)
            return connection
        }
    }

    /// Returns the store's identity; `nil` if no consumer has opened the store yet.
    ///
    /// - Throws: `StoreError`.
    public func identity() throws(StoreError) -> StoreIdentity? {
        try location.translating { try PostgresStoreQueries(connection: connection, location: location).identity() }
    }

    /// Returns the current progress of each partition.
    ///
    /// - Throws: `StoreError`.
    public func progress() throws(StoreError) -> [PartitionProgress] {
        try location.translating { try PostgresStoreQueries(connection: connection, location: location).progress() }
    }

    /// Returns the erased installs with the key of their hashes; `nil` if no consumer has opened the store yet.
    ///
    /// - Throws: `StoreError`.
    public func erasedInstalls() throws(StoreError) -> ErasedInstalls? {
        try location.translating {
            try PostgresStoreQueries(connection: connection, location: location).erasedInstalls()
        }
    }

    /// Runs `body` in one transaction. Consumers' commits wait until it ends.
    ///
    /// - Throws: `StoreError`, and what `body` throws. If the connection is lost while the server commits, the store
    ///   has either all changes or none; ``identity()`` shows which.
    public func rebuild<R>(_ body: (any StoreRebuild) throws -> R) throws -> R {
        try location.translatingOwnErrors {
            try connection.transaction("ISOLATION LEVEL READ COMMITTED") {
                // The transaction may be long. While it reads from Kafka, it is idle for the server.
                try connection.run(
                    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '60s'"
                )
                try PostgresSchema.lockFunnels(connection)
                let queries = PostgresStoreQueries(connection: connection, location: location)
                let result = try body(PostgresRebuild(queries: queries))
                try connection.run("UPDATE flow_funnels_identity SET generation = generation + 1")
                return (true, result)
            }
        }
    }
}
