import EventTracking
import FlowEvents
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
