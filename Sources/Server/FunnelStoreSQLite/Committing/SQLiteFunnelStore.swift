public import FlowEvents
import Foundation
public import FunnelStore
public import Funnels
import GRDB
import Synchronization

/// A store in one SQLite file, for one consumer. Any number of reports can read it at the same time.
///
/// ```swift
/// let store = try SQLiteFunnelStore(path: "funnels.sqlite")
/// let progress = try store.open(identity)
/// ```
///
/// Next to the file are SQLite's `-wal` and `-shm`, a `.lock` that keeps a second consumer out, and a `.switch` after
/// the first rebuild. Only their owner may read and write the files that the store creates. See [Write-Ahead
/// Logging](https://www.sqlite.org/wal.html).
public final class SQLiteFunnelStore: BatchedStore {
    let location: SQLiteStoreLocation
    let database: DatabaseQueue
    private let lock: WriterLock
    // While a whole topic is read for the first time, no install can have a row, so none is looked up. Only this
    // process writes installs, so it knows when the first one is written.
    private let isKnownEmpty: Mutex<Bool>
    private let knownFunnels = KnownFunnels()
    private let logged = Mutex(LoggedRows())
    let onVacuum: (@Sendable (SQLiteVacuum) -> Void)?
    let vacuums = Mutex(VacuumSchedule())

    /// Opens the store at `path`. Creates a missing store.
    ///
    /// - Parameters:
    ///   - path: the file, which follows `sqlite:` in a store URL.
    ///   - busyTimeout: how long a call waits for another program that has locked the file.
    ///   - onVacuum: called on the thread of a call that has rewritten the file to remove the traces of erased installs, or
    ///     could not.
    /// - Throws: `StoreError`, with `StoreError.Code.unavailable` if another consumer has the store open.
    public convenience init(
        path: String,
        busyTimeout: Duration = .seconds(5),
        onVacuum: @escaping @Sendable (SQLiteVacuum) -> Void = { _ in }
    ) throws(StoreError) {
        try self.init(SQLiteStoreLocation(path), busyTimeout: busyTimeout, onVacuum: onVacuum)
        removeTraces(always: true)
    }

    /// - Parameter onVacuum: `nil` for a store whose file goes with it: then no traces are removed.
    init(
        _ location: SQLiteStoreLocation,
        busyTimeout: Duration = .seconds(5),
        onVacuum: (@Sendable (SQLiteVacuum) -> Void)?
    ) throws(StoreError) {
        self.location = location
        self.onVacuum = onVacuum
        try location.refuseDirectory()
        lock = try WriterLock(location)
        let (database, isEmpty) = try location.translating {
            try Self.createFile(location)
            var configuration = Configuration()
            configuration.busyMode = .callback(RebuildLock.busyHandler(waiting: busyTimeout, at: location))
            let database = try DatabaseQueue(path: location.path, configuration: configuration)
            let isEmpty = try database.writeWithoutTransaction { database in
                try Self.prepare(database, location)
                let queries = try SQLiteStoreQueries(database, location)
                return try !queries.hasInstalls() && queries.usedErasureKey() == nil
            }
            return (database, isEmpty)
        }
        self.database = database
        isKnownEmpty = Mutex(isEmpty)
    }

    /// Writes all logs into the file, closes the file, and releases it for another consumer. Do not call other methods
    /// afterward.
    ///
    /// Releasing the last reference to the store closes the file too, but leaves the log of rows for whoever opens it next,
    /// and ignores errors.
    public func close() throws(StoreError) {
        // A failure loses nothing: then the log stays for whoever opens the store next.
        try? transaction { _, queries in
            // After a rebuild the log is empty, and the rows that this consumer knows are outdated.
            guard try knownFunnels.areCurrent(in: queries) else { return ((), .rollback) }
            try queries.log.write(queries.logged)
            return ((), .commit)
        }
        removeTraces(always: true)
        try location.translating { try database.close() }
        lock.release()
    }

    /// Assigns an empty store to `identity`, or checks that a store in use belongs to it and updates the descriptions
    /// of its funnels.
    ///
    /// - Throws: `StoreError`, with `StoreError.Code.otherData` if the store belongs to another identity.
    public func open(_ identity: StoreIdentity) throws(StoreError) -> [PartitionProgress] {
        let (progress, generation) = try transaction { database, queries in
            if let stored = try queries.identity() {
                try identity.check(against: stored, in: "the store \(location.name)")
                if !identity.hasDefinitions(of: stored) { try Self.write(identity.funnels, to: database) }
                if let topicID = identity.topicID, stored.topicID == nil {
                    try database.execute(sql: "UPDATE identity SET topic_id = ?", arguments: [topicID])
                }
            } else {
                let erased = identity.erased ?? ErasedInstalls(key: ErasureKey())
                try database.execute(
                    sql: "INSERT INTO identity(id, cluster_id, topic, topic_id, erasure_key) VALUES (1, ?, ?, ?, ?)",
                    arguments: [identity.clusterID, identity.topic, identity.topicID, Data(erased.key.bytes)]
                )
                for hash in erased.hashes {
                    try database.execute(
                        sql: "INSERT INTO erased_installs(hash) VALUES (?)",
                        arguments: [Data(hash)]
                    )
                }
                if !erased.hashes.isEmpty { isKnownEmpty.withLock { $0 = false } }
                try Self.write(identity.funnels, to: database)
            }
            var queries = queries
            try queries.keepTimeZones(of: identity.funnels, known: identity.timeZones)
            return ((try queries.progress(), try queries.generation()), .commit)
        }
        knownFunnels.learn(generation: generation)
        return progress
    }

    /// Returns the transitions of the funnels' time zones, which the store keeps since it first counted in them.
    ///
    /// - Throws: `StoreError`.
    public func timeZones(of funnels: [Funnel]) throws(StoreError) -> TimeZoneTables {
        try snapshot { try $0.keptTimeZones(of: funnels) }
    }

    /// Returns the progress of each partition.
    ///
    /// - Throws: `StoreError`.
    public func progress() throws(StoreError) -> [PartitionProgress] {
        try read { try $0.progress() }
    }

    /// Returns the time before which evidence may have been removed.
    ///
    /// - Throws: `StoreError`.
    public func horizon() throws(StoreError) -> Timestamp? {
        try snapshot { try $0.topicProgress().horizon }
    }

    /// Raises the horizon as far as the partitions of the store allow.
    ///
    /// - Throws: `StoreError`. Nothing was changed then.
    public func raiseHorizon(_ settings: TopicSettings) throws(StoreError) -> Timestamp? {
        try transaction { _, queries in
            try SQLiteCommitWriter(queries).write(settings)
            let horizon = try queries.topicProgress().raisedHorizon(settings)
            let statement = try SQLiteStatement(queries.connection, "UPDATE identity SET horizon = ?")
            try statement.bind(horizon?.milliseconds, at: 1)
            try statement.run()
            return (horizon, .commit)
        }
    }

    /// Returns the rows of the given installs with a part of their history, in any order. An install without a row is left
    /// out; of an erased one, `StoredInstall.erased(_:)` is returned.
    ///
    /// - Throws: `StoreError`.
    public func installs(_ installs: [[UInt8]], history: HistoryPart) throws(StoreError) -> [StoredInstall] {
        if isKnownEmpty.withLock({ $0 }) { return [] }
        return try snapshot { try $0.installsAndErased(installs, history: history) }
    }

    /// Returns the key of the hashes of erased installs.
    ///
    /// - Throws: `StoreError`.
    public func erasureKey() throws(StoreError) -> ErasureKey? { try read { try $0.erasureKey() } }

    /// Applies a commit in one transaction.
    ///
    /// A crash of the process loses no commit. A power failure may undo the last commits, each as a whole.
    ///
    /// - Throws: `StoreError`. Nothing was changed then.
    public func commit(_ commit: StoreCommit) throws(StoreError) -> CommitOutcome {
        // Set before the rows are written: a reader on another thread must not miss them.
        if !commit.installs.isEmpty { isKnownEmpty.withLock { $0 = false } }
        return try location.translating { try apply { try $0.apply(commit) } }
    }

    /// Applies a commit in one transaction, in which `body` reads and writes rows. `body` must not use the store itself.
    ///
    /// - Throws: `StoreError`, and the errors of `body`. Nothing was changed then.
    public func commit(
        moving partitions: [PartitionAdvance],
        _ body: (any RowTransaction) throws -> StoreCommit?
    ) throws -> CommitOutcome {
        isKnownEmpty.withLock { $0 = false }
        return try location.translatingOwnErrors { try apply { try $0.apply(moving: partitions, body) } }
    }

    private func apply(
        _ body: (SQLiteCommitWriter) throws -> SQLiteCommitWriter.Applied
    ) throws -> CommitOutcome {
        var newFunnels: KnownFunnels.Change?
        let applied = try run { _, queries -> (SQLiteCommitWriter.Applied, _) in
            newFunnels = try knownFunnels.change(in: queries, at: location)
            if let newFunnels { return (SQLiteCommitWriter.Applied(.rebuilt(newFunnels.rebuilt)), .rollback) }
            let applied = try body(SQLiteCommitWriter(queries))
            return (applied, applied.outcome == .committed ? .commit : .rollback)
        }
        _ = newFunnels.map(learn)
        if let change = applied.change { logged.withLock { $0.apply(change) } }
        if applied.outcome == .committed { removeTraces() }
        return applied.outcome
    }

    /// Returns the store's new funnels if a rebuild has changed them since the consumer last learned them.
    ///
    /// - Throws: `StoreError`.
    public func takeRebuiltFunnels() throws(StoreError) -> RebuiltFunnels? {
        let change = try transaction(.deferred) { _, queries in
            (try knownFunnels.change(in: queries, at: location), .rollback)
        }
        return change.map(learn)
    }

    /// Returns the rows that follow an install with the indices of their histories, in the order of their bytes.
    ///
    /// - Throws: `StoreError`.
    public func installs(after install: [UInt8]?, limit: RowLimit) throws(StoreError) -> [StoredInstall] {
        try snapshot { try $0.installs(after: install, limit: limit, history: .index) }
    }

    /// Returns the first of some rows as they are now, with all of their history.
    ///
    /// - Throws: `StoreError`.
    public func withHistory(_ rows: [StoredInstall], limit: RowLimit) throws(StoreError) -> [StoredInstall] {
        try snapshot { try $0.installs(rows.map(\.install), limit: limit, history: .all) }
    }

    /// Replaces rows that still have the expected version by smaller ones with the same meaning.
    ///
    /// - Throws: `StoreError`. Nothing was changed then.
    public func compact(_ writes: [InstallWrite]) throws(StoreError) {
        let change = try transaction { _, queries -> (LoggedRows.Change?, _) in
            guard try knownFunnels.areCurrent(in: queries) else { return (nil, .rollback) }
            return (try SQLiteInstallWriter(queries).write(writes, after: queries.logged).change, .commit)
        }
        if let change { logged.withLock { $0.apply(change) } }
    }

    /// Called after the transaction, so that a change whose transaction failed is reported again.
    private func learn(_ change: KnownFunnels.Change) -> RebuiltFunnels {
        // The rebuild may have written installs, and has emptied the log.
        isKnownEmpty.withLock { $0 = false }
        logged.withLock { $0 = LoggedRows() }
        return knownFunnels.learn(change)
    }

    private func read<R>(_ body: (SQLiteStoreQueries) throws -> R) throws(StoreError) -> R {
        try location.translating {
            try database.writeWithoutTransaction { try body(SQLiteStoreQueries($0, location)) }
        }
    }

    /// Reads in a transaction, so that all rows are of one moment: a rebuild may commit between two statements.
    private func snapshot<R>(_ body: (SQLiteStoreQueries) throws -> R) throws(StoreError) -> R {
        try transaction(.deferred) { _, queries in (try body(queries), .rollback) }
    }

    private func transaction<R>(
        _ kind: Database.TransactionKind = .immediate,
        _ body: (Database, SQLiteStoreQueries) throws -> (R, Database.TransactionCompletion)
    ) throws(StoreError) -> R {
        try location.translating { try run(kind, body) }
    }

    // Immediate by default: the lock is taken before the first read, so that no other program can change what was
    // compared before it is written.
    private func run<R>(
        _ kind: Database.TransactionKind = .immediate,
        _ body: (Database, SQLiteStoreQueries) throws -> (R, Database.TransactionCompletion)
    ) throws -> R {
        try database.writeWithoutTransaction { database in
            var result: R?
            try database.inTransaction(kind) {
                var queries = try SQLiteStoreQueries(database, location)
                queries.logged = logged.withLock { $0 }
                let (value, completion) = try body(database, queries)
                result = value
                return completion
            }
            guard let result else { throw DatabaseError(message: "the transaction did not run") }
            return result
        }
    }
}
