public import FlowEvents

/// A clock for one run of an app: it reads the device's clock once, and then measures the elapsed time.
///
/// If the user changes the device's clock during a session, the times of events keep their order. The time during which
/// the device sleeps counts.
public struct RunClock: Sendable {
    private let anchor: Timestamp
    private let timeline: Timeline

    /// Starts the clock.
    ///
    /// - Parameters:
    ///   - anchor: the current time of the device's clock.
    ///   - clock: measures the elapsed time. It should continue while the device sleeps, as `ContinuousClock` does.
    public init(anchor: Timestamp = .now, clock: any Clock<Duration> = ContinuousClock()) {
        self.anchor = anchor
        timeline = Timeline(clock)
    }

    /// The current time of this clock.
    public var now: Timestamp {
        Timestamp(milliseconds: anchor.milliseconds + timeline.elapsed.wholeMilliseconds)
    }

    /// Starts a clock and returns a function that reads it, for `Tracker(…, now:)`.
    public static func started() -> @Sendable () -> Timestamp {
        let clock = RunClock()
        return { clock.now }
    }
}

/// Measures the time since its creation with any clock.
package struct Timeline: Sendable {
    private let elapsedTime: @Sendable () -> Duration
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    /// Starts to measure.
    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        if let start = start as? ContinuousClock.Instant {
            // An app's clock, nearly always. With its type known, a reading asks the runtime for no other types.
            elapsedTime = { start.duration(to: .now) }
        } else {
            elapsedTime = { start.duration(to: clock.now) }
        }
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The time since the creation.
    package var elapsed: Duration { elapsedTime() }

    /// Returns when the elapsed time reaches a duration.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    package func sleep(until elapsed: Duration) async throws {
        try await sleepUntil(elapsed)
    }
}
