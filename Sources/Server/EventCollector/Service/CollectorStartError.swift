/// Why a collector could not start to listen.
public struct CollectorStartError: Error, Sendable, CustomStringConvertible {
    /// What was tried, and what the system says.
    public let description: String

    init(_ address: ListenAddress, _ error: any Error) {
        description = "cannot listen on \(address.host):\(address.port): \(error): choose another with --listen"
    }
}
