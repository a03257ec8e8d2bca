public import FlowEvents
import Foundation
public import FunnelStore
public import Funnels
import Synchronization

/// A store in a PostgreSQL database, for any number of consumers and reports at the same time.
///
/// ```swift
/// let store = try PostgresFunnelStore(url: "postgres://funnels@db.example.com/funnels?sslmode=verify-full")
/// let progress = try store.open(identity)
/// ```
///
/// The URL takes every [parameter of
/// libpq](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS), including those for TLS.
/// libpq's environment variables and password file work as well. The tables are in the first schema of the
/// `search_path`. The store prepares statements and changes settings of the session, so a connection pooler must work
/// in session mode.
///
/// Reads use a connection of their own and do not wait for a commit. The store replaces a lost connection, and repeats
/// a call that failed for a temporary reason. If the connection is lost while the server commits, the store first finds
/// out whether the commit succeeded, so nothing is counted twice.
public final class PostgresFunnelStore: FunnelStore {
    private let location: PostgresStoreLocation
    private let writing: ReconnectingConnection
    private let reading: ReconnectingConnection
    private let writer = UUID()
    private let commitNumber = Atomic<Int64>(0)
    private let knownFunnels = KnownFunnels()

    /// Connects to the database at `url`. Creates a missing store.
    ///
    /// - Parameters:
    ///   - url: the whole URL, `postgres://…`. Errors never contain it.
    ///   - patience: how long each call is repeated while the server is unavailable or blocked, before it fails.
    ///   - onOutage: is called on the thread of a call that is repeated for seconds, now and then, and of the first call
    ///     that succeeds again.
    /// - Throws: `StoreError`, with `StoreError.Code.unavailable` at once if it cannot connect.
    public init(
        url: String,
        patience: Duration = .seconds(60),
        onOutage: @escaping @Sendable (StoreOutage) -> Void = { _ in }
    ) throws(StoreError) {
        let location = try PostgresStoreLocation(url)
        self.location = location
        // One for each: a server that may only be read answers the reading connection.
        writing = try ReconnectingConnection(location, patience: patience, outages: OutageReporter(onOutage))
        reading = try ReconnectingConnection(location, patience: patience, outages: OutageReporter(onOutage))
        try writing.run { try PostgresSchema.prepare($0, location) }
    }

    /// Why calls have been repeated for two seconds or longer, and still are; `nil` if they are not.
    public var outage: StoreError? { writing.outage ?? reading.outage }

    /// Lets calls fail that have been repeated for two seconds or longer.
    public func stopWaiting() {
        writing.stopWaiting()
        reading.stopWaiting()
    }

    /// Closes the connections. Do not call other methods afterward.
    public func close() {
        writing.close { try CommitMarker.delete(writer, in: $0) }
        reading.close()
    }

    /// Returns an id that no other store has, on whatever server: a copy of the tables in another database is another
    /// store.
    ///
    /// - Throws: `StoreError`.
    public func sharedID() throws(StoreError) -> String? {
        try writing.run { try PostgresStoreID.read($0) }
    }

    /// Assigns an empty store to `identity`, or checks that a store in use belongs to it and updates the descriptions
    /// of its funnels.
    ///
    /// - Throws: `StoreError`, with `StoreError.Code.otherData` if the store belongs to another identity.
    public func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] {
        try writing.run { connection in
            let (progress, generation) = try connection.transaction("ISOLATION LEVEL READ COMMITTED") {
                try PostgresSchema.lock(connection)
                // Otherwise a rebuild could change the funnels between two of these statements. The consumer would then
                // know the new generation with the old funnels, or overwrite the new funnels with the old ones.
                try PostgresSchema.lockFunnelsShared(connection)
                var queries = PostgresStoreQueries(connection: connection, location: location)
                let stored = try queries.identity()
                if let stored {
                    try identity.check(against: stored, in: "the store \(location.name)")
                    if let topicID = identity.topicID, stored.topicID == nil {
                        try connection.execute("UPDATE flow_funnels_identity SET topic_id = $1", [.text(topicID)])
                    }
                } else {
                    let erased = identity.erased ?? ErasedInstalls(key: ErasureKey())
                    try connection.execute(
                        """
                        INSERT INTO flow_funnels_identity(id, cluster_id, topic, topic_id, erasure_key)
                        VALUES (1, $1, $2, $3, $4)
                        """,
                        [
                            .text(identity.clusterID), .text(identity.topic), .optionalText(identity.topicID),
                            .bytea(erased.key.bytes),
                        ]
                    )
                    try connection.execute(
                        "INSERT INTO flow_funnels_erased_installs(hash) SELECT unnest($1::bytea[])",
                        [.byteas(erased.hashes)]
                    )
                }
                if !identity.hasDefinitions(of: stored) { try Self.write(identity.funnels, to: connection) }
                try queries.keepTimeZones(of: identity.funnels, known: identity.timeZones)
                try CommitMarker.deleteOld(in: connection)
                return (true, (try queries.progress(), try queries.generation()))
            }
            knownFunnels.learn(generation: generation)
            return progress
        }
    }

    /// Returns the transitions of the funnels' time zones, which the store keeps since it first counted in them.
    ///
    /// - Throws: `StoreError`.
    public func timeZones(of funnels: [Funnel]) throws(StoreError) -> TimeZoneTables {
        try reading.run { try PostgresStoreQueries(connection: $0, location: location).keptTimeZones(of: funnels) }
    }

    /// Returns the progress of each partition.
    ///
    /// - Throws: `StoreError`.
    public func progress() throws(StoreError) -> [PartitionProgress] {
        try reading.run { try PostgresStoreQueries(connection: $0, location: location).progress() }
    }

    /// Returns the time before which evidence may have been removed.
    ///
    /// - Throws: `StoreError`.
    public func horizon() throws(StoreError) -> Timestamp? {
        try reading.run { try PostgresStoreQueries(connection: $0, location: location).topicProgress().horizon }
    }

    /// Raises the horizon as far as the partitions of the store allow.
    ///
    /// - Throws: `StoreError`. The horizon may have been raised all the same: then no harm is done.
    public func raiseHorizon(_ settings: TopicSettings) throws(StoreError) -> Timestamp? {
        try writing.run { connection in
            try connection.transaction("ISOLATION LEVEL READ COMMITTED") {
                let queries = PostgresStoreQueries(connection: connection, location: location)
                // A transaction that adds a partition has ended now, and the next statement sees the partition, or it
                // waits and sees the new horizon.
                _ = try queries.lockHorizon(for: "UPDATE")
                try PostgresCommitWriter.write(settings, to: connection)
                let horizon = try queries.topicProgress().raisedHorizon(settings)
                guard let horizon else { return (true, nil) }
                try connection.execute("UPDATE flow_funnels_identity SET horizon = $1", [.int8(horizon.milliseconds)])
                return (true, horizon)
            }
        }
    }

    /// Returns the rows of the given installs with a part of their history, in any order. An install without a row is left
    /// out; of an erased one, `StoredInstall.erased(_:)` is returned.
    ///
    /// - Throws: `StoreError`.
    public func installs(_ installs: [[UInt8]], history: HistoryPart) throws(StoreError) -> [StoredInstall] {
        try reading.run {
            try PostgresStoreQueries(connection: $0, location: location).installsAndErased(installs, history: history)
        }
    }

    /// Returns the key of the hashes of erased installs.
    ///
    /// - Throws: `StoreError`.
    public func erasureKey() throws(StoreError) -> ErasureKey? {
        try reading.run { try PostgresStoreQueries(connection: $0, location: location).erasureKey() }
    }

    /// Returns the rows that follow an install with the indices of their histories, in the order of their bytes.
    ///
    /// - Throws: `StoreError`.
    public func installs(after install: [UInt8]?, limit: RowLimit) throws(StoreError) -> [StoredInstall] {
        try reading.run {
            try PostgresStoreQueries(connection: $0, location: location).installs(
                after: install,
                limit: limit,
                history: .index
            )
        }
    }

    /// Returns the first of some rows as they are now, with all of their history.
    ///
    /// - Throws: `StoreError`.
    public func withHistory(_ rows: [StoredInstall], limit: RowLimit) throws(StoreError) -> [StoredInstall] {
        try reading.run { connection in
            let queries = PostgresStoreQueries(connection: connection, location: location)
            let count = try queries.rowCount(of: rows.map(\.install), limit: limit)
            return try queries.installs(rows.prefix(count).map(\.install), history: .all)
        }
    }

    /// Replaces rows that still have the expected version by smaller ones with the same meaning. Skips rows that another
    /// consumer is writing.
    ///
    /// - Throws: `StoreError`.
    public func compact(_ writes: [InstallWrite]) throws(StoreError) {
        try writing.run { connection in
            try connection.transaction("ISOLATION LEVEL READ COMMITTED") {
                try PostgresSchema.lockFunnelsShared(connection)
                let queries = PostgresStoreQueries(connection: connection, location: location)
                guard try knownFunnels.areCurrent(in: queries) else { return (false, ()) }
                try RowCompactor(connection: connection).compact(writes)
                return (true, ())
            }
        }
    }

    /// Applies a commit in one transaction.
    ///
    /// Whether a commit survives a crash of the server depends on the server's setting `synchronous_commit`. A crash
    /// undoes a commit as a whole, with its offsets.
    ///
    /// - Throws: `StoreError`. After `StoreError.Code.unavailable` ask ``progress()`` whether the commit succeeded:
    ///   the connection may have been lost before the server's answer.
    public func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        let number = commitNumber.add(1, ordering: .relaxed).newValue
        let marker = CommitMarker(writer: writer, number: number)
        var isInDoubt = false
        return try writing.run { connection in
            if isInDoubt {
                if try marker.wasCommitted(in: connection) { return .committed }
                isInDoubt = false
            }
            let commits = PostgresCommitWriter(
                connection: connection,
                location: location,
                knownFunnels: knownFunnels
            )
            let result = try connection.transaction(
                "ISOLATION LEVEL READ COMMITTED",
                willCommit: { isInDoubt = true }
            ) {
                let result = try commits.apply(commit)
                guard case .written = result else { return (false, result) }
                try marker.write(to: connection)
                return (true, result)
            }
            switch result {
            case .written: return .committed
            case .partitionsMoved:
                return .fenced(try PostgresStoreQueries(connection: connection, location: location).progress())
            case .versionsDiffer, .funnelsChanged:
                return try refusal(of: commit.installs, commits, connection)
            }
        }
    }

    /// Returns the store's new funnels if a rebuild has changed them since the consumer last learned them.
    ///
    /// - Throws: `StoreError`.
    public func takeRebuiltFunnels() throws(StoreError) -> RebuiltFunnels? {
        // This consumer commits only over this connection, so no commit can run meanwhile.
        try writing.run { try rebuiltFunnels($0) }
    }

    private func rebuiltFunnels(_ connection: PostgresConnection) throws -> RebuiltFunnels? {
        try ifFunnelsAreCurrent(connection) {}.change.map(knownFunnels.learn)
    }

    /// Runs `body` if this consumer knows the store's funnels, or returns their change. All statements see one state.
    private func ifFunnelsAreCurrent<R>(
        _ connection: PostgresConnection,
        _ body: () throws -> R
    ) throws -> (change: KnownFunnels.Change?, result: R?) {
        try connection.transaction("ISOLATION LEVEL REPEATABLE READ") {
            let queries = PostgresStoreQueries(connection: connection, location: location)
            if let change = try knownFunnels.change(in: queries, at: location) { return (true, (change, nil)) }
            return (true, (nil, try body()))
        }
    }

    /// Returns why a commit changed nothing: other funnels, or rows with other versions.
    private func refusal(
        of writes: [InstallWrite],
        _ commits: PostgresCommitWriter,
        _ connection: PostgresConnection
    ) throws -> CommitOutcome {
        // The rows are read with the generation: this consumer cannot read the states of a rebuild's rows.
        let (change, conflicts) = try ifFunnelsAreCurrent(connection) { try commits.conflicts(writes) }
        if let change { return .rebuilt(knownFunnels.learn(change)) }
        // There are none if the other transaction was rolled back.
        guard let conflicts, !conflicts.isEmpty else { throw PostgresFailure.serializationFailure }
        return .conflicts(conflicts)
    }

    static func write(_ funnels: [Funnel], to connection: PostgresConnection) throws {
        try connection.execute("DELETE FROM flow_funnels_funnels")
        for (position, funnel) in funnels.enumerated() {
            try connection.execute(
                "INSERT INTO flow_funnels_funnels(position, name, definition) VALUES ($1, $2, $3)",
                [.int4(Int32(position)), .text(funnel.name), .text(FunnelDefinitions.encode([funnel]))]
            )
        }
    }
}
