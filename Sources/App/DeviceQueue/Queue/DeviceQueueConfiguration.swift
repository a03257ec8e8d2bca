/// The folder and the limits of a ``DeviceQueue``.
public struct DeviceQueueConfiguration: Sendable, Hashable {
    /// The path of the queue's folder, which it creates if necessary. To share a queue, an app and its extensions use a
    /// folder in their app group.
    public var folder: String
    /// The maximum size of the queued events in bytes, with all that the file has for each of them. Beyond it, the oldest
    /// event that is not in flight is dropped. Besides, the folder has at most ``maximumQuarantineBytes`` of rejected events, a
    /// log of about 1 MiB, and one damaged file, if one was found.
    public var maximumBytes: Int
    /// The maximum age of an event in the queue, by the device's clock. Older events are dropped when the next one is
    /// stored.
    public var maximumAge: Duration
    /// The maximum number of rejected events that are kept for ``DeviceQueue/quarantined()``. Beyond it, the oldest is
    /// deleted.
    public var maximumQuarantineCount: Int
    /// The maximum size in bytes of the rejected events that are kept. Beyond it, the oldest is deleted.
    public var maximumQuarantineBytes: Int
    /// The error of the device's clock above which the times of events are corrected.
    public var clockTolerance: Duration

    /// Creates a configuration; the defaults suit an app on a phone.
    public init(
        folder: String,
        maximumBytes: Int = 16 * 1024 * 1024,
        maximumAge: Duration = .seconds(30 * 86_400),
        maximumQuarantineCount: Int = 1000,
        maximumQuarantineBytes: Int = 1024 * 1024,
        clockTolerance: Duration = .seconds(3)
    ) {
        self.folder = folder
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
        self.maximumQuarantineCount = maximumQuarantineCount
        self.maximumQuarantineBytes = maximumQuarantineBytes
        self.clockTolerance = clockTolerance
    }
}
