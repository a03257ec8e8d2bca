import Foundation
import FunnelStore

/// A lock next to the store's file that a rebuild holds while it changes the funnels.
///
/// It protects nothing; SQLite's own lock does. It lets a consumer that finds the file locked distinguish a rebuild,
/// for which it waits however long it takes, from a program that someone forgot to close.
///
/// Like ``WriterLock`` it is an advisory [flock](https://man7.org/linux/man-pages/man2/flock.2.html), which the kernel
/// releases after a crash.
final class RebuildLock: Sendable {
    private let descriptor: Int32

    /// Acquires the lock. Waits for another rebuild that holds it.
    ///
    /// - Throws: `StoreError` with `StoreError.Code.unavailable` if the file cannot be created.
    init(_ location: SQLiteStoreLocation) throws(StoreError) {
        let descriptor = Foundation.open(Self.path(location), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(location) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let error = Self.failure(location)
                Foundation.close(descriptor)
                throw error
            }
        }
        self.descriptor = descriptor
    }

    deinit {
        WriterLock.unlock(descriptor)
    }

    /// Returns a busy handler for SQLite. It tries every 10 ms until the limit has passed, and during a rebuild without
    /// a limit.
    static func busyHandler(
        waiting limit: Duration,
        at location: SQLiteStoreLocation
    ) -> @Sendable (_ tries: Int) -> Bool {
        { tries in
            let pause = Duration.milliseconds(10)
            // The lock is checked at every tenth try only: opening its file takes longer than the try itself.
            guard pause * tries < limit || (tries % 10 != 0 || isHeld(location)) else { return false }
            Thread.sleep(forTimeInterval: pause / .seconds(1))
            return true
        }
    }

    private static func isHeld(_ location: SQLiteStoreLocation) -> Bool {
        let descriptor = Foundation.open(path(location), O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        // If nobody held the lock, this check has acquired it.
        defer { WriterLock.unlock(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func path(_ location: SQLiteStoreLocation) -> String { location.path + ".switch" }

    private static func failure(_ location: SQLiteStoreLocation) -> StoreError {
        .unavailable(
            "the store \(location.name) cannot be rebuilt (\(String(cString: strerror(errno)))): check that this user "
                + "may write its directory"
        )
    }
}
