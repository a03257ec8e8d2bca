/// An address to listen on: `127.0.0.1:8080`, `[::1]:8080`.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host name or IP address.
    public let host: String
    /// The port; 0 for any free port.
    public let port: Int

    /// Creates an address from a host and a port.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads an address; `nil` if the text is not `HOST:PORT`.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        guard let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: Int(port))
    }

    /// The address as ``init(_:)`` reads it.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether only this machine can reach the address: `localhost`, `127.0.0.0/8` or `::1`.
    package var isLoopback: Bool { Self.isLoopback(host: host) }

    /// Whether a host is this machine's loopback interface: `localhost`, `127.0.0.0/8` or `::1`.
    package static func isLoopback(host: some StringProtocol) -> Bool {
        if host == "::1" || host.lowercased() == "localhost" { return true }
        // Four numbers: `127.example.com` is a name.
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return parts.count == 4 && parts[0] == 127 && !parts.contains(nil)
    }
}
