/// What is behind a ``Tracker``: it empties the intake and sees the events to the sink.
package protocol TrackerBackend: Sendable {
    /// Works until nothing new has come for a moment.
    func run() async
    /// Returns when everything that was tracked before the call is queued; says whether it is.
    func drain() async -> Bool
    /// Sends what is queued; see ``Batcher/flush(_:isPersistent:at:)``.
    func flush(isPersistent: Bool) async
    /// Gives up for this run, and ends every flush.
    func abandon() async
    /// Sends again after a pause.
    func resume() async
    /// Switches tracking off, with all that is queued, or on.
    func setOptedOut(_ hasOptedOut: Bool) async throws
    /// How many events were tracked.
    var tracked: Int { get }
}

/// The backend in memory.
struct MemoryBackend: TrackerBackend {
    let intake: TrackerBuffer
    let worker: TrackerWorker
    let delivery: Delivery

    func run() async { await worker.run() }
    func drain() async -> Bool {
        await worker.drain()
        return true
    }
    func flush(isPersistent: Bool) async { await delivery.flush(isPersistent: isPersistent) }
    func abandon() async { await delivery.abandon() }
    func resume() async { await delivery.resume() }
    func setOptedOut(_ hasOptedOut: Bool) async throws {
        intake.setOptedOut(hasOptedOut)
        if hasOptedOut { await delivery.clear(.optedOut) }
        try await worker.setOptedOut(hasOptedOut)
        // What the worker had in its hands meanwhile.
        if hasOptedOut { await delivery.clear(.optedOut) }
    }
    var tracked: Int { intake.tracked }
}
