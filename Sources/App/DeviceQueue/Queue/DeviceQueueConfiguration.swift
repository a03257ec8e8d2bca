/// Where a ``DeviceQueue`` keeps its files, and how much it keeps.
public struct DeviceQueueConfiguration: Sendable, Hashable {
    /// The queue's own folder; it is made where there is none. An app and its extensions share one in their app group.
    public var folder: String
    /// How many bytes the queued events may weigh, their install ids included. Past it the oldest that is not on its
    /// way is dropped.
    public var maximumBytes: Int
    /// How old an event may become in the queue, by the device's clock. An older one is dropped with the next that comes.
    public var maximumAge: Duration
    /// How many rejected events are kept for the app to look at; past it the oldest goes.
    public var maximumQuarantineCount: Int
    /// How far the device's clock may be off before the times of events are corrected.
    public var clockTolerance: Duration

    /// Creates a configuration; the defaults suit an app on a phone.
    public init(
        folder: String,
        maximumBytes: Int = 16 * 1024 * 1024,
        maximumAge: Duration = .seconds(30 * 86_400),
        maximumQuarantineCount: Int = 1000,
        clockTolerance: Duration = .seconds(3)
    ) {
        self.folder = folder
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
        self.maximumQuarantineCount = maximumQuarantineCount
        self.clockTolerance = clockTolerance
    }
}
