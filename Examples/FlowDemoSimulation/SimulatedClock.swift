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

/// The simulated time as a clock. It measures durations and wakes no sleeper.
struct SimulatedTime: Clock {
    /// A moment of the simulation.
    struct Instant: InstantProtocol {
        var milliseconds: Int64

        func advanced(by duration: Duration) -> Instant {
            Instant(milliseconds: milliseconds + duration.wholeMilliseconds)
        }

        func duration(to other: Instant) -> Duration { .milliseconds(other.milliseconds - milliseconds) }

        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.milliseconds < rhs.milliseconds }
    }

    let clock: SimulatedClock
    var now: Instant { Instant(milliseconds: clock.now.milliseconds) }
    var minimumResolution: Duration { .milliseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
