/// An event that the sink has refused for good.
public struct QuarantinedEvent: Sendable, Hashable {
    /// The CloudEvents `id`.
    public var id: String
    /// The CloudEvents JSON as it was sent.
    public var value: [UInt8]
    /// The code of the sink's failure.
    public var code: String
    /// What the sink said about it, for people.
    public var detail: String
}
