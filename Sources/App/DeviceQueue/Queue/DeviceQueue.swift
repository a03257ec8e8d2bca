public import EventTracking
import Foundation
import GRDB

/// Keeps an app's events on the device until they are delivered, and with them who the app's events belong to.
///
/// ```swift
/// let queue = DeviceQueue(DeviceQueueConfiguration(folder: folder))
/// let tracker = Tracker(source: "app://com.example.shop", queue: queue, sink: .http(edge))
/// ```
///
/// Each change is one SQLite transaction that is synced to the disk: events, their sequence, their session and the
/// counts of what was lost change together, so that a crash at any instruction leaves them as they were before or
/// after. Several processes may use one folder: they share the install, its sequence and its session. Input and output
/// happen on a thread of their own.
///
/// Two processes that both deliver may both send an event. It has the same bytes and the same id, and counts once.
public actor DeviceQueue {
    nonisolated let configuration: DeviceQueueConfiguration
    let folder: QueueFolder
    private let executor = BlockingExecutor(label: "flow-funnels.device-queue")
    private let ids: IDGenerator
    // GRDB suspends the connections that there are; one that is opened later would not know.
    private let isSuspended = Locked(false)
    private var connection: DatabaseQueue?
    private var number = 0
    private(set) var isInMemory = false
    private var hasFoundStrangeTables = false
    var hasOptedOutInMemory = false

    /// The thread of its own.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a queue; nothing is opened yet.
    ///
    /// - Parameter ids: makes the install id.
    public init(_ configuration: DeviceQueueConfiguration, ids: IDGenerator = .uuidV7()) {
        self.configuration = configuration
        self.ids = ids
        folder = QueueFolder(path: configuration.folder)
    }

    /// Gives up the locks on the files, and takes none until ``resume()``: for an app that is about to be suspended,
    /// which iOS kills if it holds a lock in a shared container. Tracked events wait in memory meanwhile.
    ///
    /// It is GRDB's notification, so every database of the app that observes it is suspended too; see
    /// [Database Sharing](https://swiftpackageindex.com/groue/grdb.swift/documentation/grdb/databasesharing).
    public nonisolated func suspend() {
        isSuspended.withLock { $0 = true }
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Ends what ``suspend()`` began.
    public nonisolated func resume() {
        isSuspended.withLock { $0 = false }
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }

    /// Closes the files; the next use opens them again.
    public func close() {
        connection = nil
    }

    /// A new install id.
    func newInstallID() -> String { ids(at: .now) }

    /// Runs `body` in one transaction that is on the disk when the call returns, or has never happened.
    func transaction<Value>(_ body: (Database) throws -> Value) throws(DeviceQueueError) -> Value {
        let connection = try opened()
        do {
            return try connection.write(body)
        } catch {
            throw trouble(error)
        }
    }

    /// Runs `body` on a state that nobody changes meanwhile.
    func reading<Value>(_ body: (Database) throws -> Value) throws(DeviceQueueError) -> Value {
        let connection = try opened()
        do {
            return try connection.read(body)
        } catch {
            throw trouble(error)
        }
    }

    /// Writes the log into the file and empties it.
    func emptyLog() throws(DeviceQueueError) {
        let connection = try opened()
        guard !isInMemory else { return }
        do {
            _ = try connection.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch {
            throw trouble(error)
        }
    }

    private func opened() throws(DeviceQueueError) -> DatabaseQueue {
        if let connection, isInMemory || !folder.exists(folder.file(number + 1)) { return connection }
        connection = nil
        number = folder.numbers().last ?? 1
        let path = folder.file(number)
        if isSuspended.withLock({ $0 }) { throw .unavailable(path: path, detail: "suspended") }
        var code = folder.make()
        if code == 0 && !folder.exists(path) { code = folder.makeFile(path) }
        // A queue that is there and cannot be used now is waited for: a second install id for one install would be
        // worse. Only where none is can nothing be missed.
        if [EACCES, EROFS, EPERM].contains(code) { throw try openInMemory(code) }
        guard code == 0 else { throw .unavailable(path: path, detail: String(cString: strerror(code))) }
        do {
            let opened = try DatabaseQueue(path: path, configuration: Self.settings(isFile: true))
            try prepare(opened)
            connection = opened
            return opened
        } catch {
            throw trouble(error)
        }
    }

    private func prepare(_ opened: DatabaseQueue) throws {
        try opened.write { database in
            if let flaw = try String.fetchOne(database, sql: "PRAGMA quick_check(1)"), flaw != "ok" {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: flaw)
            }
            try DeviceSchema.prepare(database, newInstallID: newInstallID)
        }
    }

    private func openInMemory(_ code: Int32) throws(DeviceQueueError) -> DeviceQueueError {
        do {
            let opened = try DatabaseQueue(configuration: Self.settings(isFile: false))
            try prepare(opened)
            connection = opened
            isInMemory = true
        } catch {
            throw trouble(error)
        }
        return .notWritable(path: folder.path, detail: String(cString: strerror(code)))
    }

    private static func settings(isFile: Bool) -> Configuration {
        var settings = Configuration()
        settings.label = "flow-funnels.device-queue"
        settings.busyMode = .timeout(5)
        settings.observesSuspensionNotifications = true
        if isFile { settings.journalMode = .wal }
        settings.prepareDatabase { database in
            // A commit is synced before it counts. `fullfsync` is for Apple's disks, which otherwise only promise to.
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON")
        }
        return settings
    }

    /// Says what an error means, and leaves a damaged file behind.
    private func trouble(_ error: any Error) -> DeviceQueueError {
        let path = folder.file(number)
        guard let error = error as? DatabaseError else {
            return .unavailable(path: path, detail: "\(error)")
        }
        // All of the SQL is constant, so an error in it means tables that are not as they were made. Once in a run: a
        // second time it would be this program's mistake, which a new file does not heal.
        let isStrange = error.resultCode == .SQLITE_ERROR && !hasFoundStrangeTables
        hasFoundStrangeTables = hasFoundStrangeTables || isStrange
        let isDamaged = isStrange || [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        let detail = error.message ?? "\(error.resultCode)"
        guard isDamaged, !isInMemory else { return .unavailable(path: path, detail: detail) }
        connection = nil
        let code = folder.makeFile(folder.file(number + 1))
        guard code == 0 else {
            return .unavailable(path: path, detail: "\(detail), and no new file: \(String(cString: strerror(code)))")
        }
        return .damaged(path: path, detail: detail)
    }
}
