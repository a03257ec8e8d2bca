import Foundation
public import FunnelStore
import Synchronization

/// A store for counts that are needed for a while: a rebuild and a verification count the topic into one.
///
/// ```swift
/// let scratch = try SQLiteScratchStore(at: .beside("funnels.sqlite"))
/// defer { scratch.remove() }
/// ```
///
/// Its files go with ``remove()`` or with the value. After a crash the next scratch store of the same location removes them:
/// it takes the lock of each, which the kernel has released.
public final class SQLiteScratchStore: Sendable {
    /// The store.
    public let store: SQLiteFunnelStore
    private let path: String
    private let signals: ScratchSignals?

    /// Removes left-overs, and creates an empty store.
    ///
    /// - Throws: `StoreError` with `StoreError.Code.unavailable` if the files cannot be created.
    public init(at location: ScratchLocation) throws(StoreError) {
        // Until its lock is taken, a store looks like a left-over.
        let folder = FolderLock(location.directory)
        defer { folder.release() }
        Self.removeLeftOvers(of: location)
        let path = location.directory + "/" + location.prefix + UUID().uuidString
        self.path = path
        let signals = location.isRemovedBySignals ? ScratchSignals { Self.removeFiles(path) } : nil
        self.signals = signals
        do throws(StoreError) {
            store = try SQLiteFunnelStore(SQLiteStoreLocation(path), onVacuum: nil)
            signals?.begin()
        } catch {
            Self.removeFiles(path)
            signals?.begin()
            signals?.end()
            throw StoreError(
                error.code,
                "the topic is counted into a temporary store in \(location.directory), which cannot be created: "
                    + "\(error). Or name another folder for it"
            )
        }
    }

    deinit { remove() }

    /// Opens a reader of the store.
    public func reader() throws(StoreError) -> SQLiteFunnelReader { try SQLiteFunnelReader(path: path) }

    /// Removes the files. A second call does nothing.
    public func remove() {
        signals?.end()
        // What cannot be closed can be removed.
        try? store.close()
        Self.removeFiles(path)
    }

    private static func removeFiles(_ path: String) {
        // The lock is the last: files without one are left-overs.
        for suffix in suffixes { unlink(path + suffix) }
    }

    // Until the store is in WAL mode, SQLite has a rollback journal.
    private static let suffixes = ["-journal", "-wal", "-shm", "", ".lock"]

    /// Removes the stores of processes that have ended without removing them.
    private static func removeLeftOvers(of location: ScratchLocation) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: location.directory)) ?? []
        let stores = Set(
            names.filter { $0.hasPrefix(location.prefix) }.map { name in
                String(name.dropLast((suffixes.first { !$0.isEmpty && name.hasSuffix($0) } ?? "").count))
            }
        )
        for name in stores {
            let path = location.directory + "/" + name
            // A store that is in use is locked.
            guard let lock = try? WriterLock(SQLiteStoreLocation(path)) else { continue }
            removeFiles(path)
            lock.release()
        }
    }
}

/// Removes files when SIGINT or SIGTERM comes, and then lets the signal end the process.
private final class ScratchSignals: Sendable {
    private static let numbers = [SIGINT, SIGTERM]
    private let sources: Mutex<[any DispatchSourceSignal]>
    private let queue = DispatchQueue(label: "flow-funnels.scratch")

    /// Takes the signals, and holds them back until ``begin()``: files that are being created cannot be removed.
    ///
    /// It waits until the signals are taken. One that comes before ends the process, which has no files yet.
    init(_ removeFiles: @escaping @Sendable () -> Void) {
        let queue = queue
        let taken = DispatchGroup()
        let sources = Self.numbers.map { number in
            #if canImport(Darwin)
            // On Darwin, a signal that is not ignored also ends the process. On Linux, a signal that is ignored is lost until
            // the source has taken it.
            signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            taken.enter()
            source.setRegistrationHandler { taken.leave() }
            source.setEventHandler {
                removeFiles()
                signal(number, SIG_DFL)
                kill(getpid(), number)
            }
            source.resume()
            return source
        }
        self.sources = Mutex(sources)
        taken.wait()
        queue.suspend()
    }

    /// Lets the signals through. Call it once.
    func begin() { queue.resume() }

    /// Gives the signals back to the process. Call it after ``begin()``.
    func end() {
        // A thread may find that its files are gone while a signal ends the process. It waits for that end.
        queue.sync {}
        sources.withLock { sources in
            guard !sources.isEmpty else { return }
            for source in sources { source.cancel() }
            sources = []
            for number in Self.numbers { signal(number, SIG_DFL) }
        }
    }
}
