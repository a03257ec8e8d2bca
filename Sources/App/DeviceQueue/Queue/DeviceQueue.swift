public import EventTracking
import Foundation
import GRDB

/// Stores an app's events on the device until they are delivered, together with the install id, the session and the
/// sequence.
///
/// ```swift
/// let queue = DeviceQueue(DeviceQueueConfiguration(folder: folder))
/// let tracker = Tracker(source: "app://com.example.shop", queue: queue, sink: .http(collector))
/// ```
///
/// Each change is one SQLite transaction that is synced to the disk. Events, sequence, session and the counts of lost
/// events change together, so a crash at any time leaves either the state before or the state after. Several processes
/// may use one folder; they share the install id, the sequence and the session. A separate thread does the I/O.
///
/// If two processes deliver, both may send an event. Its bytes and its id are the same, and funnels count it once.
public actor DeviceQueue {
    nonisolated let configuration: DeviceQueueConfiguration
    let folder: QueueFolder
    private let executor = BlockingExecutor(label: "flow-funnels.device-queue")
    private let ids: IDGenerator
    // GRDB suspends only open connections. A connection that is opened later checks this.
    private let isSuspended = Locked(false)
    private var connection: DatabaseQueue?
    private var number = 0
    /// Whether the file is another one than that of the rows that were read last.
    private var isReplaced = false
    private(set) var isInMemory = false
    private var hasFoundChangedTables = false
    var hasOptedOutInMemory = false
    var hasConsentedInMemory = false
    /// Whether the file may be used although the queue is suspended, by a connection of its own.
    private var isAllowed = false
    /// The identity of a file that was removed while it was open. The next file continues it.
    private var carried: Identity?
    /// Whether everything was deleted since the user has opted out.
    var hasPurged = false

    /// The executor of the thread that does the I/O.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a queue. It opens its file at the first use.
    ///
    /// - Parameters:
    ///   - configuration: the folder and the limits.
    ///   - ids: makes the install id.
    public init(_ configuration: DeviceQueueConfiguration, ids: IDGenerator = .uuidV7()) {
        self.configuration = configuration
        self.ids = ids
        folder = QueueFolder(path: configuration.folder)
    }

    /// Releases the locks on the files, and takes none until ``resume()``. Tracked events wait in memory meanwhile.
    ///
    /// Call this before iOS suspends the app, if the folder is in a shared container: iOS terminates a suspended app that
    /// holds a lock there. The queue posts GRDB's notification, which suspends every database of the app that observes it;
    /// see
    /// [Database Sharing](https://swiftpackageindex.com/groue/grdb.swift/documentation/grdb/databasesharing).
    public nonisolated func suspend() {
        isSuspended.withLock { $0 = true }
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Allows locks again after ``suspend()``.
    public nonisolated func resume() {
        isSuspended.withLock { $0 = false }
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }

    /// Allows the use of the file although the queue is suspended, until it is forbidden again: the app runs, because it asks
    /// to store. It closes its connection each time, so that the suspended app holds no lock.
    func allowWhileSuspended(_ isAllowed: Bool) {
        guard !isInMemory, isSuspended.withLock({ $0 }) || self.isAllowed else { return }
        self.isAllowed = isAllowed
        connection = nil
    }

    /// Closes the files. The next use opens them again. A queue in memory has no files, and stays as it is.
    public func close() {
        guard !isInMemory else { return }
        connection = nil
    }

    /// Returns a new install id.
    func newInstallID() -> String { ids(at: .now) }

    /// Runs `body` in a transaction. When the call returns, the transaction is on the disk; when it throws, nothing has
    /// changed.
    func transaction<Value>(_ body: (Database) throws -> Value) throws(DeviceQueueError) -> Value {
        let connection = try opened()
        do {
            return try connection.write(body)
        } catch {
            throw translated(error)
        }
    }

    /// Runs `body` on a consistent state of the database.
    func reading<Value>(_ body: (Database) throws -> Value) throws(DeviceQueueError) -> Value {
        let connection = try opened()
        do {
            return try connection.read(body)
        } catch {
            throw translated(error)
        }
    }

    /// Checks that the rows that were read before are in the file. They are not if another process, or a call of the app's,
    /// has found the file damaged.
    ///
    /// - Throws: ``DeviceQueueError/Code/damaged`` where another file has taken its place.
    func checkRows() throws(DeviceQueueError) {
        _ = try opened()
        guard isReplaced else { return }
        throw .damaged(
            path: folder.file(max(1, number - 1)),
            detail: "it was removed, or another file has taken its place"
        )
    }

    /// Begins to read the rows of the current file.
    func beginRows() { isReplaced = false }

    /// Writes the write-ahead log into the file, and truncates it.
    func emptyLog() throws(DeviceQueueError) {
        let connection = try opened()
        guard !isInMemory else { return }
        do {
            _ = try connection.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch {
            throw translated(error)
        }
    }

    private func opened() throws(DeviceQueueError) -> DatabaseQueue {
        if let connection, isInMemory { return connection }
        if let connection, !folder.exists(folder.file(number + 1)) {
            if folder.exists(folder.file(number)) { return connection }
            // SQLite goes on writing to a file that was removed, and all of it ends with the process.
            carried = try? connection.read(DeviceIdentity.load)
            isReplaced = true
        }
        connection = nil
        let last = number
        number = folder.numbers().last ?? 1
        isReplaced = isReplaced || (last != 0 && number != last)
        let path = folder.file(number)
        if isSuspended.withLock({ $0 }), !isAllowed { throw .unavailable(path: path, detail: "suspended") }
        var code = folder.make()
        if code == 0 && !folder.exists(path) { code = folder.makeFile(path) }
        // If there is a queue that cannot be used now, events wait for it: a second install id would be worse. Only if
        // there is none yet, the run starts in memory.
        if [EACCES, EROFS, EPERM].contains(code) { throw try openInMemory(code) }
        guard code == 0 else { throw .unavailable(path: path, detail: String(cString: strerror(code))) }
        do {
            let opened = try DatabaseQueue(path: path, configuration: Self.settings(isFile: true, isAllowed: isAllowed))
            try prepare(opened)
            connection = opened
            return opened
        } catch {
            throw translated(error)
        }
    }

    private func prepare(_ opened: DatabaseQueue) throws {
        try opened.write { database in
            if let flaw = try String.fetchOne(database, sql: "PRAGMA quick_check(1)"), flaw != "ok" {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: flaw)
            }
            let isNew = try DeviceSchema.prepare(database, newInstallID: newInstallID)
            if isNew, let carried { try DeviceIdentity.save(carried, addingBytes: 0, in: database) }
        }
        carried = nil
    }

    private func openInMemory(_ code: Int32) throws(DeviceQueueError) -> DeviceQueueError {
        do {
            let opened = try DatabaseQueue(configuration: Self.settings(isFile: false))
            try prepare(opened)
            connection = opened
            isInMemory = true
        } catch {
            throw translated(error)
        }
        return .notWritable(path: folder.path, detail: String(cString: strerror(code)))
    }

    private static func settings(isFile: Bool, isAllowed: Bool = false) -> Configuration {
        var settings = Configuration()
        settings.label = "flow-funnels.device-queue"
        settings.busyMode = .timeout(5)
        settings.observesSuspensionNotifications = !isAllowed
        if isFile { settings.journalMode = .wal }
        settings.prepareDatabase { database in
            // A commit is synced before it succeeds. Without `fullfsync`, Apple's disks may delay the write.
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON")
            // The write-ahead log counts as what is kept on the device, too.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 100; PRAGMA journal_size_limit = 524288")
        }
        return settings
    }

    /// Translates an error. After damage, it creates the next file.
    private func translated(_ error: any Error) -> DeviceQueueError {
        let path = folder.file(number)
        guard let error = error as? DatabaseError else {
            return .unavailable(path: path, detail: "\(error)")
        }
        // The SQL is constant, so an SQL error means that the tables have changed. Only the first one in a run counts as
        // damage: a second one would be a bug in this code, which a new file does not fix.
        let hasChangedTables = error.resultCode == .SQLITE_ERROR && !hasFoundChangedTables
        hasFoundChangedTables = hasFoundChangedTables || hasChangedTables
        let isDamaged = hasChangedTables || [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        let detail = error.message ?? "\(error.resultCode)"
        guard isDamaged, !isInMemory else { return .unavailable(path: path, detail: detail) }
        connection = nil
        let code = folder.makeFile(folder.file(number + 1))
        guard code == 0 else {
            return .unavailable(
                path: path,
                detail: "\(detail), and a new file cannot be created: \(String(cString: strerror(code)))"
            )
        }
        // One damaged file is kept for whoever looks into it.
        folder.deleteFiles(before: number)
        return .damaged(path: path, detail: detail)
    }
}
