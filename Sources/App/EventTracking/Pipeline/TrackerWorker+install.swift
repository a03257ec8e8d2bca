import FlowEvents

/// The install, and the user's choice to be tracked, not to be tracked, or to be erased.
extension TrackerWorker {
    /// Switches tracking off or on, and saves the choice.
    ///
    /// - Throws: the error of the store. Tracking is then switched for this run only, and another call saves the choice.
    func setOptedOut(_ hasOptedOut: Bool) async throws {
        if hasOptedOut { dropWaiting(.optedOut) }
        await drain()
        try await inTurn { try await $0.choose(hasOptedOut) }
    }

    private func choose(_ hasOptedOut: Bool) async throws {
        var unread: (any Error)?
        // What is there is replaced only where it can be read: another run may have made another choice.
        if stamper == nil {
            do {
                _ = try await load()
            } catch {
                unread = error
                stamper = newStamper()
            }
        }
        guard var identity = stamper?.identity else { return }
        if identity.hasOptedOut != hasOptedOut {
            // The old id is never used again. The new one has no events until the user opts in.
            identity = Identity(installID: parts.ids(at: parts.now()), hasOptedOut: hasOptedOut)
            isInstallSaved = false
            hasUnsavedChoice = true
        }
        if identity.hasConsented == hasOptedOut {
            identity.hasConsented = !hasOptedOut
            hasUnsavedChoice = true
        }
        stamper = parts.makeStamper(identity, isLaunch: stamper?.isLaunch ?? true)
        if hasOptedOut { dropWaiting(.optedOut) }
        if let unread {
            // The next event reads it again. In this run, the choice holds.
            if !hasOptedOut { stamper = nil }
            throw unread
        }
        defer { if !hasOptedOut { parts.buffer.setOptedOut(false) } }
        guard hasUnsavedChoice else { return }
        try await store.save(identity)
        hasUnsavedChoice = false
    }

    /// Keeps the request to erase the install, drops its events, and begins a new one.
    ///
    /// - Throws: ``ErasureRequestError``, or the error of the store: the next event then tries again to begin a new install.
    func requestErasure() async throws {
        await drain()
        try await inTurn { try await $0.eraseInstall() }
    }

    private func eraseInstall() async throws {
        guard let identity = await loadedStamper()?.identity else { throw ErasureRequestError.unreadable }
        if identity.hasOptedOut { throw ErasureRequestError.optedOut }
        try await outbox.add(identity.installID)
        var chunk = parts.buffer.beginInstall()
        await count(chunk)
        stamper = nil
        isInstallSaved = false
        let count = filtered(chunk.entries.removeFirst(chunk.entries.count)).count + waiting.take().count
        if count > 0 { parts.ledger.dropped(Drop(reason: .erased, count: count)) }
        await delivery.clear(.erased)
        _ = try await load()
    }

    /// Sends the requests to erase that an earlier run has left.
    func sendOldErasures() async {
        await turns.run {
            // What cannot be read now is read with the next event.
            guard let installs = try? await self.outbox.installs(), !installs.isEmpty else { return }
            _ = await self.loadedStamper()
        }
    }

    /// Whether the user has agreed.
    func consent() async -> Consent {
        await drain()
        let consent = Locked(Consent.unknown)
        await turns.run {
            let found = await self.currentConsent()
            consent.withLock { $0 = found }
        }
        return consent.withLock { $0 }
    }

    private func currentConsent() async -> Consent {
        guard let identity = await loadedStamper()?.identity else { return .unknown }
        if identity.hasOptedOut { return .denied }
        return parts.asksForConsent && !identity.hasConsented ? .pending : .granted
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
        guard let stamper = await loadedStamper() else { return .unknown }
        if stamper.identity.hasOptedOut { return .optedOut }
        if !isInstallSaved { isInstallSaved = await save(stamper.identity) }
        return .known(stamper.identity.installID)
    }
}
