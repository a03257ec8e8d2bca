/// Who an app's events belong to, as it is kept over restarts.
public struct Identity: Sendable, Hashable {
    /// Names the installation: a UUIDv7, made at the first start.
    public var installID: String
    /// The `sequence` of the next event.
    public var nextSequence: Int64
    /// The session of the last event.
    public var session: Session?
    /// Whether tracking is switched off. The install id is then one that no event has had.
    public var hasOptedOut: Bool

    /// Creates an identity; without a sequence, that of an install that has no events yet.
    public init(installID: String, nextSequence: Int64 = 0, session: Session? = nil, hasOptedOut: Bool = false) {
        self.installID = installID
        self.nextSequence = nextSequence
        self.session = session
        self.hasOptedOut = hasOptedOut
    }
}
