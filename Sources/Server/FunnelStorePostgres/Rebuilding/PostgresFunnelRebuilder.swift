public import FunnelStore
public import Funnels

/// Changes the funnels of a store in a PostgreSQL database, also while consumers count in it.
///
/// It writes in one transaction in which it has the store's funnels locked: that waits for the commits that are under
/// way, and those that come later see that the funnels are others.
public final class PostgresFunnelRebuilder: FunnelRedefining {
    private let place: PostgresPlace
    private let connection: PostgresConnection

    /// Connects to the database at `url`, whose store must be there and of this version.
    ///
    /// - Throws: ``StoreError``: ``StoreError/missing(_:)`` where there is no store yet.
    public init(url: String) throws(StoreError) {
        let place = try PostgresPlace(url)
        self.place = place
        do {
            connection = try PostgresConnection(place.url)
        } catch let failure as PostgresFailure {
            throw place.unreachable(failure)
        } catch {
            throw .unavailable("the store \(place.name): \(error)")
        }
        let connection = connection
        try place.translating {
            try SessionSettings.apply(to: connection)
            guard let version = try PostgresSchema.inspect(connection, place) else {
                throw StoreError.none(at: place.name)
            }
            guard version == PostgresSchema.version else { throw StoreError.older(place.name) }
        }
    }

    /// What the store belongs to; `nil` where no consumer has opened it yet.
    ///
    /// - Throws: ``StoreError``.
    public func identity() throws(StoreError) -> StoreIdentity? {
        try place.translating { try PostgresStoreQueries(connection: connection, place: place).identity() }
    }

    /// How far each partition has been taken in now.
    ///
    /// - Throws: ``StoreError``.
    public func progress() throws(StoreError) -> [PartitionProgress] {
        try place.translating { try PostgresStoreQueries(connection: connection, place: place).progress() }
    }

    /// Runs `body` in one transaction. Consumers' commits wait for its end.
    ///
    /// - Throws: ``StoreError``, and what `body` throws. Where the connection is lost while the server commits, the store
    ///   is either as it was or as it should be: what its funnels are tells which.
    public func redefine<R>(_ body: (any StoreRedefinition) throws -> R) throws -> R {
        do {
            return try connection.transaction("ISOLATION LEVEL READ COMMITTED") {
                // It is one long transaction. Waiting for Kafka is idle to the server, and bounded by us.
                try connection.run(
                    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '60s'"
                )
                try PostgresSchema.lockFunnels(connection)
                let queries = PostgresStoreQueries(connection: connection, place: place)
                let result = try body(PostgresRedefinition(queries: queries))
                try connection.run("UPDATE flow_funnels_identity SET generation = generation + 1")
                return (true, result)
            }
        } catch is DamagedSegment {
            throw place.damaged("a segment of the summary cannot be read")
        } catch let failure as PostgresFailure {
            throw failure.isConnectionLost ? place.unreachable(failure) : place.storeError(failure)
        }
    }
}
