import EventTracking
import FlowEvents
import Foundation

/// The phone's clock. It may be wrong, and it can be set.
final class PhoneClock: Sendable {
    private let offset: Locked<Int64>

    init(offset: Int64) {
        self.offset = Locked(offset)
    }

    /// The time that the clock shows.
    var now: Timestamp {
        Timestamp(milliseconds: Timestamp.now.milliseconds + offset.withLock { $0 })
    }

    /// Sets the clock.
    func move(by milliseconds: Int64) {
        offset.withLock { $0 += milliseconds }
    }
}
