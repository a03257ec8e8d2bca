import EventTracking

extension DevicePipeline {
    /// Returns the install of the queue. The queue makes it when it opens its file for the first time.
    func install() async -> CurrentInstall {
        await drain()
        if await queue.hasOptedOut { return .optedOut }
        return await queue.installID.map(CurrentInstall.known) ?? .unknown
    }
}
