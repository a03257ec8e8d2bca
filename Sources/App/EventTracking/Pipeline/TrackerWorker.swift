import FlowEvents

/// Encodes tracked events on another thread than the callers of `track`. It runs only while there are events.
actor TrackerWorker {
    // To wake a thread takes several microseconds on the calling thread, so the worker waits a moment before it sleeps.
    // This does not affect when events are sent, so it uses real time instead of the tracker's clock.
    private static let rest = Duration.milliseconds(100)
    // The number of events that share one save of the identity. The sink receives them while the next ones are encoded.
    private static let portion = 2000

    let parts: TrackerParts
    let delivery: Delivery
    let store: IdentityStore
    let outbox: ErasureOutbox
    var stamper: EventStamper?
    private var isSaving = true
    /// Whether the install id was saved in this run, so that a later launch has the same one.
    var isInstallSaved = false
    /// Whether the last choice to opt out or in is not saved yet.
    var hasUnsavedChoice = false
    /// Whether the last attempt to load the identity failed, which was reported.
    private var isUnreadable = false
    var waiting: WaitingEvents
    private var isOver = false
    let turns = SerialTasks()

    init(_ parts: TrackerParts, delivery: Delivery, store: IdentityStore, outbox: ErasureOutbox) {
        self.parts = parts
        self.outbox = outbox
        self.delivery = delivery
        self.store = store
        waiting = WaitingEvents(
            maximumCount: parts.batching.maximumQueueCount,
            maximumBytes: parts.batching.maximumQueueBytes
        )
    }

    /// Works until no event has been tracked for a short time.
    func run() async {
        repeat {
            await drain()
            try? await Task.sleep(for: Self.rest)
        } while !parts.buffer.letWorkerSleep()
    }

    /// Returns when all events tracked before the call are queued for delivery, or wait for the identity or for consent.
    func drain() async {
        await turns.run { await self.work() }
    }

    /// Ends the run: drops what still waits.
    func endWaiting() {
        isOver = true
        dropWaiting(.shutdown)
    }

    func dropWaiting(_ reason: DropReason) {
        let count = waiting.take().count
        if count > 0 { parts.ledger.dropped(Drop(reason: reason, count: count)) }
    }

    /// Runs an operation that no other one interrupts.
    func inTurn(_ operation: @escaping @Sendable (isolated TrackerWorker) async throws -> Void) async throws {
        let failure = Locked<(any Error)?>(nil)
        await turns.run {
            do { try await operation(self) } catch { failure.withLock { $0 = error } }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private func work() async {
        while true {
            var chunk = parts.buffer.take()
            await count(chunk)
            let kept = filtered(chunk.entries.removeFirst(chunk.entries.count))
            await take(kept)
            if let user = chunk.user { await name(user) }
            if chunk.isEmpty { return }
        }
    }

    /// Counts the events that never entered the buffer.
    func count(_ chunk: TrackerBuffer.Chunk) async {
        if chunk.refused > 0 { parts.ledger.dropped(Drop(reason: .shutdown, count: chunk.refused)) }
        if chunk.optedOut > 0 { parts.ledger.dropped(Drop(reason: .optedOut, count: chunk.optedOut)) }
        if chunk.overflow > 0 { await skip(chunk.overflow) }
    }

    /// Drops events that never got a number. The gap shows the loss.
    private func skip(_ count: Int) async {
        parts.ledger.dropped(Drop(reason: .queueFull, count: count))
        if let stamper = await loadedStamper() { self.stamper = stamper.skipping(count) }
    }

    /// Queues events after those that wait, if the identity is there and the user has agreed. Otherwise they wait, too.
    private func take(_ kept: [TrackerBuffer.Entry]) async {
        guard !kept.isEmpty || !waiting.isEmpty else { return }
        let identity = await loadedStamper()?.identity
        let isReady = identity.map { !parts.asksForConsent || $0.hasConsented } ?? false
        var entries = kept
        if !isReady || !waiting.isEmpty {
            let dropped = waiting.add(kept)
            if dropped > 0 { await skip(dropped) }
            if isOver { return dropWaiting(.shutdown) }
            if identity?.hasOptedOut ?? false { return dropWaiting(.optedOut) }
            guard isReady else { return }
            entries = waiting.take()
        }
        if let identity, identity.hasOptedOut {
            parts.ledger.dropped(Drop(reason: .optedOut, count: entries.count))
            return
        }
        for start in stride(from: 0, to: entries.count, by: Self.portion) {
            await queue(Array(entries[start..<min(start + Self.portion, entries.count)]))
        }
    }

    private func queue(_ entries: [TrackerBuffer.Entry]) async {
        guard let before = stamper else { return }
        var after = before
        var stamped = after.stamp(entries)
        if !(await save(after.identity)) {
            // The next launch could use these numbers again, so they must not be sent.
            after = before
            after.isNumbering = false
            stamped = after.stamp(entries)
            after.isNumbering = true
        }
        stamper = after
        for violation in stamped.violations {
            parts.ledger.dropped(Drop(reason: .invalid(violation.reason), count: 1, detail: violation.detail))
        }
        for omission in stamped.omissions { parts.ledger.report(.omitted(omission)) }
        if !stamped.events.isEmpty { await delivery.add(stamped.events) }
    }

    /// Saves the user that the app has named.
    private func name(_ user: TrackerBuffer.User) async {
        guard var stamper = await loadedStamper(), !stamper.identity.hasOptedOut else { return }
        let before = stamper.identity.userID
        stamper.name(user)
        self.stamper = stamper
        if stamper.identity.userID != before { _ = await save(stamper.identity) }
    }

    func filtered(_ entries: [TrackerBuffer.Entry]) -> [TrackerBuffer.Entry] {
        let kept = parts.buffer.filtered(entries, by: parts.filter)
        let dropped = entries.count - kept.count
        if dropped > 0 { parts.ledger.dropped(Drop(reason: .filtered, count: dropped)) }
        return kept
    }

    /// The stamper; `nil` while the identity cannot be read.
    func loadedStamper() async -> EventStamper? {
        if let stamper { return stamper }
        do {
            return try await load()
        } catch {
            // Reported once for each outage, not for every event.
            if !isUnreadable { parts.ledger.report(.identity(error)) }
            isUnreadable = true
            return nil
        }
    }

    func load() async throws -> EventStamper {
        var identity: Identity?
        do {
            identity = try await store.load()
        } catch let error as IdentityStoreError where error.code == .damaged {
            parts.ledger.report(.identity(error))
        }
        // A run that has kept a request may have ended before it began the new install.
        if let old = identity, try await outbox.installs().contains(old.installID) {
            let new = Identity(installID: parts.ids(at: parts.now()), hasConsented: old.hasConsented)
            try await store.save(new)
            identity = new
        }
        isUnreadable = false
        let loaded = identity.map { parts.makeStamper($0) } ?? newStamper()
        if loaded.identity.hasOptedOut { parts.buffer.setOptedOut(true) }
        stamper = loaded
        await outbox.begin()
        return loaded
    }

    func newStamper() -> EventStamper {
        parts.makeStamper(Identity(installID: parts.ids(at: parts.now())))
    }

    /// Saves the identity, and returns whether its numbers may be used.
    func save(_ identity: Identity) async -> Bool {
        do {
            try await store.save(identity)
            isSaving = true
        } catch {
            // Reported once for each outage, not for every event.
            if isSaving { parts.ledger.report(.identity(error)) }
            isSaving = false
        }
        return isSaving
    }
}
