import Foundation
import FunnelStore

/// Says, beside the store's file, that a rebuild is switching funnels over: whoever finds the store locked then waits
/// for its end, however many rows there are, and does not take it for a program that was left open.
///
/// As the ``WriterLock`` it is an advisory [flock](https://man7.org/linux/man-pages/man2/flock.2.html), which a crash
/// leaves to nobody. It protects nothing: that is SQLite's own lock.
final class SwitchLock: Sendable {
    private let descriptor: Int32

    /// Waits for another rebuild's switch.
    ///
    /// - Throws: ``StoreError/unavailable(_:)`` where the file cannot be made.
    init(_ place: StorePlace) throws(StoreError) {
        let descriptor = Foundation.open(Self.path(place), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(place) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let error = Self.failure(place)
                Foundation.close(descriptor)
                throw error
            }
        }
        self.descriptor = descriptor
    }

    deinit {
        WriterLock.unlock(descriptor)
    }

    /// For SQLite's busy handler: to try every 10 ms for a time, and for as long as a rebuild switches over.
    static func patience(_ limit: Duration, at place: StorePlace) -> @Sendable (Int) -> Bool {
        { tries in
            let pause = Duration.milliseconds(10)
            // A look at the file for each try would be most of the waiting's work.
            guard pause * tries < limit || (tries % 10 != 0 || isHeld(place)) else { return false }
            Thread.sleep(forTimeInterval: pause / .seconds(1))
            return true
        }
    }

    private static func isHeld(_ place: StorePlace) -> Bool {
        let descriptor = Foundation.open(path(place), O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        // What was locked to find out is let go of.
        defer { WriterLock.unlock(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func path(_ place: StorePlace) -> String { place.path + ".switch" }

    private static func failure(_ place: StorePlace) -> StoreError {
        .unavailable(
            "the store \(place.name) cannot be rebuilt (\(String(cString: strerror(errno)))): check that this user may "
                + "write its directory"
        )
    }
}
