/// The one timer of an actor that drives a ``Batcher``. It holds a task only while a time is set.
package struct WakeTimer: Sendable {
    private var pending: (time: Duration, task: Task<Void, Never>)?

    /// Creates a timer that is not set.
    package init() {}

    /// Sets the timer; `nil` cancels it.
    ///
    /// A timer that is set to an earlier time stays: waking up too early costs less than a new task for every batch.
    ///
    /// - Parameters:
    ///   - time: the time at which to call `action`.
    ///   - timeline: the clock that measures the time.
    ///   - action: receives the time that was set. It first calls ``take(_:)``.
    package mutating func set(
        to time: Duration?,
        on timeline: Timeline,
        action: @escaping @Sendable (_ time: Duration) async -> Void
    ) {
        guard let time else {
            pending?.task.cancel()
            pending = nil
            return
        }
        if let pending, pending.time <= time { return }
        pending?.task.cancel()
        let task = Task {
            do { try await timeline.sleep(until: time) } catch { return }
            await action(time)
        }
        pending = (time, task)
    }

    /// Clears the timer when its time has passed.
    ///
    /// - Returns: `false` if the timer was set to another time since.
    package mutating func take(_ time: Duration) -> Bool {
        guard pending?.time == time else { return false }
        pending = nil
        return true
    }
}
