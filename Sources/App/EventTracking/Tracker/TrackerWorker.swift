import FlowEvents

/// Turns what was tracked into encoded events, away from whoever tracked it. It works only while there is something.
actor TrackerWorker {
    // Waking a thread costs its waker several microseconds, so the worker stays up for a moment. This is about threads
    // and not about when things are sent, hence real time and not the tracker's clock.
    private static let rest = Duration.milliseconds(100)
    // So many events share one save of the identity, and reach the sink while the next ones are encoded.
    private static let portion = 2000

    private let intake: TrackerBuffer
    private let delivery: Delivery
    private let store: IdentityStore
    private let ledger: Ledger
    private let now: @Sendable () -> Timestamp
    private let filter: EventFilter
    private let makeStamper: @Sendable (Identity) -> EventStamper
    private let ids: IDGenerator
    private var stamper: EventStamper?
    private var keepsIdentity = true
    private var isSaving = true
    private let turns = SerialTasks()

    init(
        intake: TrackerBuffer,
        delivery: Delivery,
        store: IdentityStore,
        ledger: Ledger,
        ids: IDGenerator,
        filter: EventFilter,
        now: @escaping @Sendable () -> Timestamp,
        makeStamper: @escaping @Sendable (Identity) -> EventStamper
    ) {
        self.intake = intake
        self.delivery = delivery
        self.store = store
        self.ledger = ledger
        self.ids = ids
        self.filter = filter
        self.now = now
        self.makeStamper = makeStamper
    }

    /// Works until nothing new has come for a moment.
    func run() async {
        repeat {
            await drain()
            try? await Task.sleep(for: Self.rest)
        } while !intake.letWorkerSleep()
    }

    /// Returns when everything that was tracked before the call is with the delivery.
    func drain() async {
        await turns.run { await self.work() }
    }

    /// Switches tracking off or on, and keeps that.
    ///
    /// - Throws: what the store throws; tracking is then switched for this run only.
    func setOptedOut(_ hasOptedOut: Bool) async throws {
        await drain()
        guard await loadedStamper().identity.hasOptedOut != hasOptedOut else { return }
        // The id that was is not used again, and the next one has no events until there is consent.
        let identity = Identity(installID: ids(at: now()), hasOptedOut: hasOptedOut)
        stamper = makeStamper(identity)
        if keepsIdentity { try await store.save(identity) }
    }

    private func work() async {
        while true {
            var chunk = intake.take()
            if chunk.isEmpty { return }
            if chunk.refused > 0 { ledger.dropped(Drop(reason: .shutdown, count: chunk.refused)) }
            if chunk.optedOut > 0 { ledger.dropped(Drop(reason: .optedOut, count: chunk.optedOut)) }
            if chunk.overflow > 0 {
                ledger.dropped(Drop(reason: .queueFull, count: chunk.overflow))
                let stamper = await loadedStamper()
                self.stamper = stamper.skipping(chunk.overflow)
            }
            while !chunk.entries.isEmpty { await queue(chunk.entries.removeFirst(Self.portion)) }
        }
    }

    private func queue(_ entries: [TrackerBuffer.Entry]) async {
        let before = await loadedStamper()
        if before.identity.hasOptedOut {
            ledger.dropped(Drop(reason: .optedOut, count: entries.count))
            return
        }
        let entries = filtered(entries)
        var after = before
        var (events, violations) = after.stamp(entries)
        if !(await save(after.identity)) {
            // These numbers could be given out again by the next start, so they must not leave.
            after = before
            after.isNumbering = false
            (events, violations) = after.stamp(entries)
            after.isNumbering = true
        }
        stamper = after
        for violation in violations {
            ledger.dropped(Drop(reason: .invalid(violation.reason), count: 1, detail: violation.detail))
        }
        if !events.isEmpty { await delivery.add(events) }
    }

    private func filtered(_ entries: [TrackerBuffer.Entry]) -> [TrackerBuffer.Entry] {
        let kept = filter.apply(to: entries)
        if kept.count < entries.count { ledger.dropped(Drop(reason: .filtered, count: entries.count - kept.count)) }
        return kept
    }

    private func loadedStamper() async -> EventStamper {
        if let stamper { return stamper }
        var identity: Identity?
        do {
            identity = try await store.load()
        } catch let error as IdentityStoreError {
            if error.code != .damaged { keepsIdentity = false }
            ledger.report(.identity(error))
        } catch {
            keepsIdentity = false
            ledger.report(.identity(error))
        }
        let loaded = makeStamper(identity ?? Identity(installID: ids(at: now())))
        if loaded.identity.hasOptedOut { intake.setOptedOut(true) }
        stamper = loaded
        return loaded
    }

    /// Whether the identity's numbers may be used.
    private func save(_ identity: Identity) async -> Bool {
        // An install id that is never kept cannot meet its own numbers again.
        guard keepsIdentity else { return true }
        do {
            try await store.save(identity)
            isSaving = true
        } catch {
            // Said once for each time it begins, not with every event.
            if isSaving { ledger.report(.identity(error)) }
            isSaving = false
        }
        return isSaving
    }
}
