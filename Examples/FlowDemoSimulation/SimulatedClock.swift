import EventTracking
import FlowEvents

/// The time in the simulation. It changes only with the next appointment.
final class SimulatedClock: Sendable {
    private let moment: Locked<Timestamp>

    init(_ moment: Timestamp) {
        self.moment = Locked(moment)
    }

    var now: Timestamp {
        get { moment.withLock { $0 } }
        set { moment.withLock { $0 = newValue } }
    }
}
