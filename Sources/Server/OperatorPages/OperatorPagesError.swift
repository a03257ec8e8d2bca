/// The pages' address cannot be listened on.
public struct OperatorPagesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address that was asked for.
    public let host: String
    /// The TCP port that was asked for.
    public let port: UInt16
    /// What the system said.
    public let reason: String

    /// What happened, where, and what to do.
    public var description: String {
        "cannot serve metrics on \(host), port \(port): \(reason). Choose another with --metrics-port and "
            + "--metrics-host, or leave metrics off"
    }
}
