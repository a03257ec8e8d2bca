import EventTracking

extension DevicePipeline {
    /// Whether the user has agreed.
    func consent() async -> Consent {
        await drain()
        if await queue.hasOptedOut { return .denied }
        guard parts.asksForConsent else { return .granted }
        return await queue.hasConsented ? .granted : .pending
    }

    /// Returns the install of the queue. The queue makes it when it opens its file for the first time.
    func install() async -> CurrentInstall {
        await drain()
        if await queue.hasOptedOut { return .optedOut }
        return await queue.installID.map(CurrentInstall.known) ?? .unknown
    }

    /// Switches tracking off and drops queued events, or switches it on.
    func setOptedOut(_ hasOptedOut: Bool) async throws {
        if hasOptedOut { parts.buffer.setOptedOut(true) }
        let failure = Locked<DeviceQueueError?>(nil)
        await inTurn { pipeline in
            do throws(DeviceQueueError) {
                if hasOptedOut {
                    pipeline.isMuted = true
                    pipeline.takeIn(pipeline.parts.buffer.take())
                    pipeline.forgetPending(.optedOut)
                    _ = pipeline.forgetAll(.optedOut)
                }
                try await pipeline.queue.setOptedOut(hasOptedOut)
                pipeline.isMuted = false
                pipeline.isClockKnown = false
                if !hasOptedOut {
                    pipeline.parts.buffer.setOptedOut(false)
                    // What has waited for consent.
                    await pipeline.work(isUrgent: true)
                }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Begins a new install if the current one asks to be erased. A run that has kept a request may have ended before
    /// it did so.
    func beginInstallIfErased() async throws(DeviceQueueError) {
        let erased: Set<String>
        do {
            erased = try await outbox.installs()
        } catch {
            throw .unavailable(path: queue.configuration.folder, detail: "\(error)")
        }
        if !erased.isEmpty { try await queue.beginInstall(ifIn: erased) }
        await outbox.begin()
    }

    /// Keeps a request to erase the install, drops its events, and begins a new one.
    func requestErasure() async throws {
        let failure = Locked<(any Error)?>(nil)
        await inTurn { pipeline in
            do { try await pipeline.eraseInstall() } catch { failure.withLock { $0 = error } }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private func eraseInstall() async throws {
        if await queue.hasOptedOut { throw ErasureRequestError.optedOut }
        guard let install = await queue.installID else { throw ErasureRequestError.unreadable }
        try await outbox.add(install)
        takeIn(parts.buffer.beginInstall())
        forgetPending(.erased)
        _ = forgetAll(.erased)
        hasStarted = false
        isClockKnown = false
        do throws(DeviceQueueError) {
            try await start()
        } catch {
            await handle(error)
            throw error
        }
    }
}
