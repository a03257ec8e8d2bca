import Foundation
public import FunnelStore
public import Funnels
import Synchronization

/// A store in a PostgreSQL database, for any number of consumers and reports at once.
///
/// ```swift
/// let store = try PostgresFunnelStore(url: "postgres://funnels@db.example.com/funnels?sslmode=verify-full")
/// let progress = try store.open(identity)
/// ```
///
/// The URL may hold all that [libpq](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS)
/// knows, TLS included; so may libpq's environment variables and its password file. The tables stand in the first schema
/// of the `search_path`. Statements are prepared and settings last as long as the connection, so a pooler between has to
/// keep sessions together.
///
/// Reads have a connection of their own and do not wait for a commit. Both are made again where they are lost, and what
/// failed for a reason that passes is tried again. A connection that is lost while the server commits leaves open whether
/// it did: the store finds out before it goes on, so no count changes by it.
public final class PostgresFunnelStore: FunnelStore {
    private let place: PostgresPlace
    private let writing: PostgresLine
    private let reading: PostgresLine
    private let writer = UUID()
    private let commitNumber = Atomic<Int64>(0)
    // That of the funnels which the consumer knows.
    private let generation = Mutex<Int64?>(nil)

    /// Connects to the database at `url`, makes the store where there is none, and brings an older one up to date.
    ///
    /// - Parameters:
    ///   - url: `postgres://…`, whole. It never stands in an error.
    ///   - patience: how long each call tries again where the server is away or the way is blocked, before it fails.
    /// - Throws: ``StoreError``: ``StoreError/unavailable(_:)`` at once where no connection can be made.
    public init(url: String, patience: Duration = .seconds(60)) throws(StoreError) {
        let place = try PostgresPlace(url)
        self.place = place
        writing = try PostgresLine(place, patience: patience)
        reading = try PostgresLine(place, patience: patience)
        try writing.run { try PostgresSchema.prepare($0, place) }
    }

    /// Ends the connections. No other call may follow.
    public func close() {
        writing.close { try CommitMark.forget(writer, in: $0) }
        reading.close()
    }

    /// Makes an empty store belong to `identity`, or checks that a used one does and keeps its funnels' descriptions.
    ///
    /// - Throws: ``StoreError``: ``StoreError/otherData(_:)`` where the store belongs to something else.
    public func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] {
        try writing.run { connection in
            try connection.transaction("ISOLATION LEVEL READ COMMITTED") {
                try PostgresSchema.lock(connection)
                let queries = PostgresStoreQueries(connection: connection, place: place)
                let stored = try queries.identity()
                if let stored {
                    try identity.check(against: stored, in: "the store \(place.name)")
                } else {
                    try connection.execute(
                        "INSERT INTO flow_funnels_identity(id, cluster_id, topic) VALUES (1, $1, $2)",
                        [.text(identity.clusterID), .text(identity.topic)]
                    )
                }
                if stored?.funnels != identity.funnels { try Self.write(identity.funnels, to: connection) }
                try CommitMark.forgetOld(in: connection)
                let generation = try queries.generation()
                self.generation.withLock { $0 = generation }
                return (true, try queries.progress())
            }
        }
    }

    /// How far each partition has been taken in.
    ///
    /// - Throws: ``StoreError``.
    public func progress() throws(StoreError) -> [PartitionProgress] {
        try reading.run { try PostgresStoreQueries(connection: $0, place: place).progress() }
    }

    /// The rows of those of `installs` that have one, in any order.
    ///
    /// - Throws: ``StoreError``.
    public func installs(_ installs: [[UInt8]]) throws(StoreError) -> [StoredInstall] {
        try reading.run { try PostgresStoreQueries(connection: $0, place: place).installs(installs) }
    }

    /// The first rows after an install, in the order of the rows' keys. A long id is its key there.
    ///
    /// - Throws: ``StoreError``.
    public func installs(after install: [UInt8]?, limit: Int) throws(StoreError) -> [StoredInstall] {
        try reading.run {
            try PostgresStoreQueries(connection: $0, place: place).installs(after: install, limit: limit)
        }
    }

    /// Puts smaller states that mean the same in the place of rows' states, where a row still has the version and no
    /// other consumer is writing it.
    ///
    /// - Throws: ``StoreError``.
    public func compact(_ rows: [StoredInstall]) throws(StoreError) {
        try writing.run { connection in
            try connection.transaction("ISOLATION LEVEL READ COMMITTED") {
                try PostgresSchema.lockFunnelsShared(connection)
                // By other funnels something else is past.
                let queries = PostgresStoreQueries(connection: connection, place: place)
                guard try queries.generation() == generation.withLock({ $0 }) else { return (false, ()) }
                try RowCompactor(connection: connection).compact(rows)
                return (true, ())
            }
        }
    }

    /// Makes all of `commit` true in one transaction, or none of it.
    ///
    /// How safe it is then from a crash of the server is the server's setting `synchronous_commit`; what a crash takes
    /// back it takes back whole, with its offsets.
    ///
    /// - Throws: ``StoreError``. After ``StoreError/unavailable(_:)`` ask ``progress()`` whether it was committed: the
    ///   store may have been lost before it could answer.
    public func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        let number = commitNumber.add(1, ordering: .relaxed).newValue
        let mark = CommitMark(writer: writer, number: number)
        var isInDoubt = false
        return try writing.run { connection in
            if isInDoubt {
                if try mark.stands(in: connection) { return .committed }
                isInDoubt = false
            }
            let commits = PostgresCommitWriter(
                connection: connection,
                place: place,
                generation: generation.withLock { $0 }
            )
            let finding = try connection.transaction(
                "ISOLATION LEVEL READ COMMITTED",
                willCommit: { isInDoubt = true }
            ) {
                let finding = try commits.apply(commit)
                guard case .nothing = finding else { return (false, finding) }
                try mark.write(to: connection)
                return (true, finding)
            }
            switch finding {
            case .nothing: return .committed
            case .movedPartitions:
                return .fenced(try PostgresStoreQueries(connection: connection, place: place).progress())
            case .otherVersions:
                let conflicts = try commits.conflicts(commit.installs)
                // Versions only grow, but a row that another transaction was about to write may be gone with it.
                guard !conflicts.isEmpty else { throw PostgresFailure.overtaken }
                return .conflicts(conflicts)
            case .otherFunnels:
                return try redefined(connection)
            }
        }
    }

    private func redefined(_ connection: PostgresConnection) throws -> CommitOutcome {
        // All of one state.
        try connection.transaction("ISOLATION LEVEL REPEATABLE READ") {
            let queries = PostgresStoreQueries(connection: connection, place: place)
            guard let identity = try queries.identity() else { throw place.damaged("it belongs to nothing any more") }
            let (generation, progress) = (try queries.generation(), try queries.progress())
            self.generation.withLock { $0 = generation }
            return (true, .redefined(identity: identity, progress: progress))
        }
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
