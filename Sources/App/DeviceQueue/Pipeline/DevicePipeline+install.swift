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
}
