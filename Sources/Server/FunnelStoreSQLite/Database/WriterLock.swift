import Foundation
import FunnelStore
import Synchronization

/// The right to be a store's only consumer, held until it is released or the value is gone.
///
/// An advisory [flock](https://man7.org/linux/man-pages/man2/flock.2.html) on a file beside the store, which the kernel
/// lets go of however the process ends: none is ever left behind by a crash. Not on the store's own file, because
/// closing any descriptor of that drops SQLite's locks. The file itself stays: deleting it would let two processes each
/// lock one of their own.
final class WriterLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// - Throws: ``StoreError/unavailable(_:)`` where another process or value has the lock, or the file cannot be made.
    init(_ place: StorePlace) throws(StoreError) {
        let descriptor = Foundation.open(place.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .unavailable(
                "the store \(place.name) cannot be opened (\(String(cString: strerror(errno)))): check that its directory "
                    + "exists and that this user may write it"
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            Foundation.close(descriptor)
            guard reason == EWOULDBLOCK else {
                throw .unavailable("the store \(place.name) cannot be locked (\(String(cString: strerror(reason))))")
            }
            throw .unavailable(
                "the store \(place.name) is in use by another consumer. SQLite serves one consumer: stop the other, or "
                    + "give all of them one PostgreSQL store (--store postgres://…), which serves many"
            )
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Unlocks a file and closes it.
    ///
    /// Closing alone is not enough: a process that is started just then has the descriptor too, until its own program
    /// begins, and the lock would stay for as long.
    static func unlock(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        Foundation.close(descriptor)
    }

    /// Lets another have it; a second call does nothing.
    func release() {
        descriptor.withLock { descriptor in
            if let descriptor { Self.unlock(descriptor) }
            descriptor = nil
        }
    }
}
