/// Empties the buffer of a ``Tracker`` and sends the events to the sink.
package protocol TrackerBackend: Sendable {
    /// Works until no event has been tracked for a short time.
    func run() async
    /// Returns when all events tracked before the call are queued, or wait for the identity or for consent.
    ///
    /// - Parameter isForced: whether events are to be stored now even while the queue on the device is suspended.
    /// - Returns: whether all of them would survive the end of the process.
    func drain(isForced: Bool) async -> Bool
    /// Sends all queued events; see ``Batcher/flush(_:isPersistent:at:)``.
    func flush(isPersistent: Bool) async
    /// Stops sending for this run, and ends every flush.
    func abandon() async
    /// Continues to send after a pause.
    func resume() async
    /// Switches tracking off and drops queued events, or switches it on.
    func setOptedOut(_ hasOptedOut: Bool) async throws
    /// Keeps a request to erase the install, drops queued events, and begins a new install.
    func requestErasure() async throws
    /// The install of the next event. Where an app is launched for the first time, it is made and saved.
    func install() async -> CurrentInstall
    /// Whether the user has agreed.
    func consent() async -> Consent
    /// The number of tracked events.
    var tracked: Int { get }
}

/// The backend that queues events in memory.
struct MemoryBackend: TrackerBackend {
    private let buffer: TrackerBuffer
    private let worker: TrackerWorker
    private let delivery: Delivery
    private let ledger: Ledger
    private let outbox: ErasureOutbox

    init(_ parts: TrackerParts, store: IdentityStore) {
        buffer = parts.buffer
        ledger = parts.ledger
        delivery = Delivery(parts)
        outbox = ErasureOutbox(parts, storage: store.erasures)
        worker = TrackerWorker(parts, delivery: delivery, store: store, outbox: outbox)
    }

    /// Sends the requests to erase that an earlier run has left, also where nothing is tracked in this one.
    func sendOldErasures() {
        guard outbox.outlivesTheRun else { return }
        Task.detached(priority: .utility) { [worker] in await worker.sendOldErasures() }
    }

    func run() async { await worker.run() }
    func drain(isForced: Bool) async -> Bool {
        await worker.drain()
        // Nothing survives that is not delivered.
        return await outbox.isEmpty && ledger.settled.delivered + ledger.settled.droppedCount >= buffer.tracked
    }
    func flush(isPersistent: Bool) async {
        // The run is over: nobody will read the identity, or ask the user, in time.
        if isPersistent { await worker.endWaiting() }
        async let erasures: Void = outbox.flush(isPersistent: isPersistent)
        await delivery.flush(isPersistent: isPersistent)
        await erasures
    }
    func abandon() async {
        await worker.endWaiting()
        await delivery.abandon()
        await outbox.abandon()
    }
    func resume() async {
        await delivery.resume()
        await outbox.resume()
    }
    func requestErasure() async throws { try await worker.requestErasure() }
    func setOptedOut(_ hasOptedOut: Bool) async throws {
        guard hasOptedOut else {
            // Last, because the worker switches the buffer off when it first loads the identity of who had opted out.
            defer { buffer.setOptedOut(false) }
            try await worker.setOptedOut(false)
            return await worker.drain()
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
    func consent() async -> Consent { await worker.consent() }
    var tracked: Int { buffer.tracked }
}
