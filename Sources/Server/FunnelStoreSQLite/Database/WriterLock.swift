import Foundation
import FunnelStore
import Synchronization

/// The lock of a store's only consumer. It is released by ``release()``, or with the value.
///
/// It is an advisory [flock](https://man7.org/linux/man-pages/man2/flock.2.html) on a file next to the store. The
/// kernel releases it when the process ends, also after a crash. It is not on the store's own file, because closing any
/// descriptor of that file drops SQLite's locks. The lock's file is never deleted: two processes could otherwise each
/// lock a file of their own.
final class WriterLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Acquires the lock.
    ///
    /// - Throws: `StoreError` with `StoreError.Code.unavailable` if another process or value has the lock, or if
    ///   the file cannot be created.
    init(_ location: SQLiteStoreLocation) throws(StoreError) {
        let descriptor = Foundation.open(location.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .unavailable(
                "the store \(location.name) cannot be opened (\(String(cString: strerror(errno)))): check that its directory "
                    + "exists and that this user may write it"
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            Foundation.close(descriptor)
            guard reason == EWOULDBLOCK else {
                throw .unavailable(
                    "the store \(location.name) cannot be locked (\(String(cString: strerror(reason)))): check that its "
                        + "file system has locks (flock)"
                )
            }
            throw .unavailable(
                "the store \(location.name) is in use by another consumer. An SQLite store serves one consumer: stop the "
                    + "other one, or use a PostgreSQL store (postgres://…), which serves many"
            )
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Unlocks a file and closes it.
    ///
    /// Closing alone is not enough: a child process that is being started inherits the descriptor, and keeps the lock
    /// until it runs its own program.
    static func unlock(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        Foundation.close(descriptor)
    }

    /// Releases the lock. A second call does nothing.
    func release() {
        descriptor.withLock { descriptor in
            if let descriptor { Self.unlock(descriptor) }
            descriptor = nil
        }
    }
}
