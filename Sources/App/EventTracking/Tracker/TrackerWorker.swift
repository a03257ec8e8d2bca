import FlowEvents

/// Encodes tracked events on another thread than the callers of `track`. It runs only while there are events.
actor TrackerWorker {
    // To wake a thread takes several microseconds on the calling thread, so the worker waits a moment before it sleeps.
    // This does not affect when events are sent, so it uses real time instead of the tracker's clock.
    private static let rest = Duration.milliseconds(100)
    // The number of events that share one save of the identity. The sink receives them while the next ones are encoded.
    private static let portion = 2000

    private let parts: TrackerParts
    private let delivery: Delivery
    private let store: IdentityStore
    private var stamper: EventStamper?
    private var keepsIdentity = true
    private var isSaving = true
    /// Whether the install id was saved in this run, so that a later launch has the same one.
    private var isInstallSaved = false
    /// Whether the last choice to opt out or in is not saved yet.
    private var hasUnsavedChoice = false
    private var loadFailure: (any Error)?
    private let turns = SerialTasks()

    init(_ parts: TrackerParts, delivery: Delivery, store: IdentityStore) {
        self.parts = parts
        self.delivery = delivery
        self.store = store
    }

    /// Works until no event has been tracked for a short time.
    func run() async {
        repeat {
            await drain()
            try? await Task.sleep(for: Self.rest)
        } while !parts.buffer.letWorkerSleep()
    }

    /// Returns when all events tracked before the call are queued for delivery.
    func drain() async {
        await turns.run { await self.work() }
    }

    /// Switches tracking off or on, and saves the choice.
    ///
    /// - Throws: the error of the store. Tracking is then switched for this run only, and another call saves the choice.
    func setOptedOut(_ hasOptedOut: Bool) async throws {
        await drain()
        var identity = await loadedStamper().identity
        if identity.hasOptedOut != hasOptedOut {
            // The old id is never used again. The new one has no events until the user opts in.
            identity = Identity(installID: parts.ids(at: parts.now()), hasOptedOut: hasOptedOut)
            stamper = parts.makeStamper(identity)
            hasUnsavedChoice = true
        }
        guard hasUnsavedChoice else { return }
        // The saved identity may be readable again later, and has another choice.
        if let loadFailure, !keepsIdentity { throw loadFailure }
        try await store.save(identity)
        hasUnsavedChoice = false
    }

    /// Returns the install of the next event, and saves it.
    func install() async -> CurrentInstall {
        await drain()
        let install = Locked(CurrentInstall.unknown)
        await turns.run {
            let found = await self.savedInstall()
            install.withLock { $0 = found }
        }
        return install.withLock { $0 }
    }

    private func savedInstall() async -> CurrentInstall {
        let stamper = await loadedStamper()
        if stamper.identity.hasOptedOut { return .optedOut }
        if !isInstallSaved { isInstallSaved = await save(stamper.identity) }
        return .known(stamper.identity.installID)
    }

    private func work() async {
        while true {
            var chunk = parts.buffer.take()
            if chunk.isEmpty { return }
            if chunk.refused > 0 { parts.ledger.dropped(Drop(reason: .shutdown, count: chunk.refused)) }
            if chunk.optedOut > 0 { parts.ledger.dropped(Drop(reason: .optedOut, count: chunk.optedOut)) }
            if chunk.overflow > 0 {
                parts.ledger.dropped(Drop(reason: .queueFull, count: chunk.overflow))
                let stamper = await loadedStamper()
                self.stamper = stamper.skipping(chunk.overflow)
            }
            let kept = filtered(chunk.entries.removeFirst(chunk.entries.count))
            for start in stride(from: 0, to: kept.count, by: Self.portion) {
                await queue(Array(kept[start..<min(start + Self.portion, kept.count)]))
            }
        }
    }

    private func queue(_ entries: [TrackerBuffer.Entry]) async {
        let before = await loadedStamper()
        if before.identity.hasOptedOut {
            parts.ledger.dropped(Drop(reason: .optedOut, count: entries.count))
            return
        }
        var after = before
        var (events, violations) = after.stamp(entries)
        if !(await save(after.identity)) {
            // The next launch could use these numbers again, so they must not be sent.
            after = before
            after.isNumbering = false
            (events, violations) = after.stamp(entries)
            after.isNumbering = true
        }
        stamper = after
        for violation in violations {
            parts.ledger.dropped(Drop(reason: .invalid(violation.reason), count: 1, detail: violation.detail))
        }
        if !events.isEmpty { await delivery.add(events) }
    }

    private func filtered(_ entries: [TrackerBuffer.Entry]) -> [TrackerBuffer.Entry] {
        let kept = parts.buffer.filtered(entries, by: parts.filter)
        let dropped = entries.count - kept.count
        if dropped > 0 { parts.ledger.dropped(Drop(reason: .filtered, count: dropped)) }
        return kept
    }

    private func loadedStamper() async -> EventStamper {
        if let stamper { return stamper }
        var identity: Identity?
        do {
            identity = try await store.load()
        } catch let error as IdentityStoreError {
            if error.code != .damaged { (keepsIdentity, loadFailure) = (false, error) }
            parts.ledger.report(.identity(error))
        } catch {
            (keepsIdentity, loadFailure) = (false, error)
            parts.ledger.report(.identity(error))
        }
        let loaded = parts.makeStamper(identity ?? Identity(installID: parts.ids(at: parts.now())))
        if loaded.identity.hasOptedOut { parts.buffer.setOptedOut(true) }
        stamper = loaded
        return loaded
    }

    /// Saves the identity, and returns whether its numbers may be used.
    private func save(_ identity: Identity) async -> Bool {
        // An install id that is not saved has no later launch, which could use the numbers again.
        guard keepsIdentity else { return true }
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
