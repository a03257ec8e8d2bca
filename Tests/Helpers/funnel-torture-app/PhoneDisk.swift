import EventTracking
import Foundation

/// Simulates a full disk without a file system of its own: this process may not write to any file.
final class PhoneDisk: Sendable {
    private let isFull = Locked(false)

    /// Makes the disk full or empty.
    func setFull(_ isFull: Bool) {
        self.isFull.withLock { state in
            state = isFull
            limitFiles(isFull)
        }
    }

    /// Runs `body` while the process may write to files: the journal is not on the phone's disk.
    func elsewhere<Result: Sendable>(_ body: () -> Result) -> Result {
        isFull.withLock { isFull in
            if isFull { limitFiles(false) }
            defer { if isFull { limitFiles(true) } }
            return body()
        }
    }

    private func limitFiles(_ isFull: Bool) {
        var limit = rlimit()
        #if canImport(Darwin)
        let resource = RLIMIT_FSIZE
        #else
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #endif
        getrlimit(resource, &limit)
        limit.rlim_cur = isFull ? 0 : limit.rlim_max
        setrlimit(resource, &limit)
    }
}
