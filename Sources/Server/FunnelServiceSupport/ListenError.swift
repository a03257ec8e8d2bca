/// A server cannot listen on its address.
public struct ListenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address.
    public let address: ListenAddress
    /// The system's explanation.
    public let reason: String

    /// Creates an error from its parts.
    package init(address: ListenAddress, reason: String) {
        self.address = address
        self.reason = reason
    }

    /// The address and the explanation: `cannot listen on 127.0.0.1:8080: Address already in use`.
    public var description: String { "cannot listen on \(address): \(reason)" }
}
