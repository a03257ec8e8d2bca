import Analytics
import Events
import Foundation

/// The phone's clock, which may be off and can be set.
final class PhoneClock: Sendable {
    private let offset: Locked<Int64>

    init(offset: Int64) {
        self.offset = Locked(offset)
    }

    /// What it shows.
    var now: Timestamp {
        Timestamp(milliseconds: Timestamp.now.milliseconds + offset.withLock { $0 })
    }

    /// Sets it.
    func move(by milliseconds: Int64) {
        offset.withLock { $0 += milliseconds }
    }
}

/// What `torture` does to the phone, told on standard input.
struct Remote: Sendable {
    private let clock: PhoneClock

    init(_ clock: PhoneClock) {
        self.clock = clock
    }

    /// Listens on a thread of its own. The end of the input ends the process.
    func listen() {
        Thread.detachNewThread { [self] in
            while let line = readLine() {
                let words = line.split(separator: " ")
                switch words.first {
                case "clock": clock.move(by: words.last.flatMap { Int64($0) } ?? 0)
                case "full": limitFiles(to: 0)
                case "free": limitFiles(to: nil)
                default: break
                }
            }
            exit(0)
        }
    }

    /// No file of this process may be written beyond a size: stands for a full disk where none can be had.
    private func limitFiles(to size: rlim_t?) {
        var limit = rlimit()
        #if canImport(Darwin)
        let resource = RLIMIT_FSIZE
        #else
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #endif
        getrlimit(resource, &limit)
        limit.rlim_cur = size ?? limit.rlim_max
        setrlimit(resource, &limit)
    }
}
