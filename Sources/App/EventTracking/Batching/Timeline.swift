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
