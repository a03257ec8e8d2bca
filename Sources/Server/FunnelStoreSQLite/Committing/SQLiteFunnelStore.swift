import Foundation
public import FunnelStore
public import Funnels
import GRDB
import Synchronization

/// A store in one SQLite file, for one consumer; any number of reports read it meanwhile.
///
/// ```swift
/// let store = try SQLiteFunnelStore(path: "funnels.sqlite")
/// let progress = try store.open(identity)
/// ```
///
/// Beside the file stand SQLite's `-wal` and `-shm`, a `.lock` by which a second consumer is refused, and a `.switch` once
/// a rebuild has changed its funnels. Files that it makes are for their owner only. See
/// [SQLite on write-ahead logging](https://www.sqlite.org/wal.html).
public final class SQLiteFunnelStore: FunnelStore {
    private let place: StorePlace
    private let database: DatabaseQueue
    private let lock: WriterLock
    // A first read of a whole topic asks for installs that cannot be there. Only this process writes, so it knows.
    private let isKnownEmpty: Mutex<Bool>
    // That of the funnels which the consumer knows.
    private let generation = Mutex<Int64?>(nil)

    /// Opens the store at `path`, makes it where there is none, and brings an older one up to date.
    ///
    /// - Parameters:
    ///   - path: the file; what follows `sqlite:` in a store URL.
    ///   - busyTimeout: how long a call waits for another program that has locked the file.
    /// - Throws: ``StoreError``: ``StoreError/unavailable(_:)`` where another consumer has it, too.
    public init(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
        let place = StorePlace(path)
        self.place = place
        lock = try WriterLock(place)
        let (database, isEmpty) = try place.translating {
            try Self.createFile(place)
            var configuration = Configuration()
            configuration.busyMode = .callback(SwitchLock.patience(busyTimeout, at: place))
            let database = try DatabaseQueue(path: place.path, configuration: configuration)
            let isEmpty = try database.writeWithoutTransaction { database in
                try Self.prepare(database, place)
                return try !SQLiteStoreQueries(database, place).hasInstalls()
            }
            return (database, isEmpty)
        }
        self.database = database
        isKnownEmpty = Mutex(isEmpty)
    }

    /// Folds the write-ahead log into the file, closes it, and lets another consumer have it. No other call may follow.
    ///
    /// Letting go of the last reference does the same without telling what went wrong.
    public func close() throws(StoreError) {
        try place.translating { try database.close() }
        lock.release()
    }

    /// Makes an empty store belong to `identity`, or checks that a used one does and keeps its funnels' descriptions.
    ///
    /// - Throws: ``StoreError``: ``StoreError/otherData(_:)`` where the store belongs to something else.
    public func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] {
        try transaction { database, queries in
            if let stored = try queries.identity() {
                try identity.check(against: stored, in: "the store \(place.name)")
                if stored.funnels != identity.funnels { try Self.write(identity.funnels, to: database) }
            } else {
                try database.execute(
                    sql: "INSERT INTO identity(id, cluster_id, topic) VALUES (1, ?, ?)",
                    arguments: [identity.clusterID, identity.topic]
                )
                try Self.write(identity.funnels, to: database)
            }
            let generation = try queries.generation()
            self.generation.withLock { $0 = generation }
            return (try queries.progress(), .commit)
        }
    }

    /// How far each partition has been taken in.
    ///
    /// - Throws: ``StoreError``.
    public func progress() throws(StoreError) -> [PartitionProgress] {
        try read { try $0.progress() }
    }

    /// The rows of those of `installs` that have one, in the order of their bytes.
    ///
    /// - Throws: ``StoreError``.
    public func installs(_ installs: [[UInt8]]) throws(StoreError) -> [StoredInstall] {
        if isKnownEmpty.withLock({ $0 }) { return [] }
        return try read { try $0.installs(installs) }
    }

    /// Makes all of `commit` true in one transaction, or none of it.
    ///
    /// After a power failure the last commits may be gone, each as a whole; a crash of the process loses none.
    ///
    /// - Throws: ``StoreError``; then nothing was changed.
    public func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        // Before the rows are there, not after: a reader on another thread must never miss them.
        if !commit.installs.isEmpty { isKnownEmpty.withLock { $0 = false } }
        return try transaction { _, queries in
            let generation = try queries.generation()
            guard generation == self.generation.withLock({ $0 }) else {
                guard let identity = try queries.identity() else {
                    throw place.damaged("it belongs to nothing any more")
                }
                self.generation.withLock { $0 = generation }
                isKnownEmpty.withLock { $0 = false }
                return (.redefined(identity: identity, progress: try queries.progress()), .rollback)
            }
            let outcome = try SQLiteCommitWriter(queries).apply(commit)
            guard case .committed = outcome else { return (outcome, .rollback) }
            return (outcome, .commit)
        }
    }

    /// The first rows after an install, in the order of their bytes.
    ///
    /// - Throws: ``StoreError``.
    public func installs(after install: [UInt8]?, limit: Int) throws(StoreError) -> [StoredInstall] {
        try read { try $0.installs(after: install, limit: limit) }
    }

    /// Puts smaller states that mean the same in the place of rows' states, where a row still has the version.
    ///
    /// - Throws: ``StoreError``; then nothing was changed.
    public func compact(_ rows: [StoredInstall]) throws(StoreError) {
        try transaction { _, queries in
            // By other funnels something else is past.
            guard try queries.generation() == generation.withLock({ $0 }) else { return ((), .rollback) }
            try SQLiteCommitWriter(queries).compact(rows)
            return ((), .commit)
        }
    }

    private func read<R>(_ body: (SQLiteStoreQueries) throws -> R) throws(StoreError) -> R {
        try place.translating {
            try database.writeWithoutTransaction { try body(SQLiteStoreQueries($0, place)) }
        }
    }

    private func transaction<R>(
        _ body: (Database, SQLiteStoreQueries) throws -> (R, Database.TransactionCompletion)
    ) throws(StoreError) -> R {
        try place.translating {
            try database.writeWithoutTransaction { database in
                var result: R?
                // Immediate: the lock is taken before the first read, so that what was compared is what is changed.
                try database.inTransaction(.immediate) {
                    let (value, completion) = try body(database, SQLiteStoreQueries(database, place))
                    result = value
                    return completion
                }
                guard let result else { throw DatabaseError(message: "the transaction did not run") }
                return result
            }
        }
    }
}
