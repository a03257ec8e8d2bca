public import FlowEvents

/// A clock for one run of an app: the device's clock, read once, and from then on a clock that only goes forward.
///
/// A device whose clock is set back in mid-session gives its events the same order as before. Time that the device
/// sleeps counts.
public struct RunClock: Sendable {
    private let anchor: Timestamp
    private let timeline: Timeline

    /// Starts the clock.
    ///
    /// - Parameters:
    ///   - anchor: what the device's clock shows now.
    ///   - clock: what goes on from there; it should go on while the device sleeps, as `ContinuousClock` does.
    public init(anchor: Timestamp = .now, clock: any Clock<Duration> = ContinuousClock()) {
        self.anchor = anchor
        timeline = Timeline(clock)
    }

    /// The moment by this clock.
    public var now: Timestamp {
        Timestamp(milliseconds: anchor.milliseconds + timeline.elapsed.wholeMilliseconds)
    }

    /// Starts a clock and returns how to read it, for `Tracker(…, now:)`.
    public static func started() -> @Sendable () -> Timestamp {
        let clock = RunClock()
        return { clock.now }
    }
}

/// A clock of any kind, as the durations since this value was made.
package struct Timeline: Sendable {
    private let elapsedTime: @Sendable () -> Duration
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsedTime = { start.duration(to: clock.now) }
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    package var elapsed: Duration { elapsedTime() }

    /// - Throws: `CancellationError` where the task is canceled.
    package func sleep(until elapsed: Duration) async throws {
        try await sleepUntil(elapsed)
    }
}
