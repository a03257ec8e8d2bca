/// Empties the buffer of a ``Tracker`` and sends the events to the sink.
package protocol TrackerBackend: Sendable {
    /// Works until no event has been tracked for a short time.
    func run() async
    /// Returns when all events tracked before the call are queued.
    ///
    /// - Returns: `false` if events could not be queued yet.
    func drain() async -> Bool
    /// Sends all queued events; see ``Batcher/flush(_:isPersistent:at:)``.
    func flush(isPersistent: Bool) async
    /// Stops sending for this run, and ends every flush.
    func abandon() async
    /// Continues to send after a pause.
    func resume() async
    /// Switches tracking off and drops queued events, or switches it on.
    func setOptedOut(_ hasOptedOut: Bool) async throws
    /// The install of the next event. Where an app is launched for the first time, it is made and saved.
    func install() async -> CurrentInstall
    /// The number of tracked events.
    var tracked: Int { get }
}

/// The backend that queues events in memory.
struct MemoryBackend: TrackerBackend {
    private let buffer: TrackerBuffer
    private let worker: TrackerWorker
    private let delivery: Delivery

    init(_ parts: TrackerParts, store: IdentityStore) {
        buffer = parts.buffer
        delivery = Delivery(parts)
        worker = TrackerWorker(parts, delivery: delivery, store: store)
    }

    func run() async { await worker.run() }
    func drain() async -> Bool {
        await worker.drain()
        return true
    }
    func flush(isPersistent: Bool) async { await delivery.flush(isPersistent: isPersistent) }
    func abandon() async { await delivery.abandon() }
    func resume() async { await delivery.resume() }
    func setOptedOut(_ hasOptedOut: Bool) async throws {
        guard hasOptedOut else {
            // Last, because the worker switches the buffer off when it first loads the identity of who had opted out.
            defer { buffer.setOptedOut(false) }
            return try await worker.setOptedOut(false)
        }
        buffer.setOptedOut(true)
        await delivery.clear(.optedOut)
        // Once more for the events that the worker was processing meanwhile, also where the choice is not saved.
        do {
            try await worker.setOptedOut(true)
        } catch {
            await delivery.clear(.optedOut)
            throw error
        }
        await delivery.clear(.optedOut)
    }
    func install() async -> CurrentInstall { await worker.install() }
    var tracked: Int { buffer.tracked }
}
