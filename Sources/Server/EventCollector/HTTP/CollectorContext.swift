internal import Hummingbird
internal import NIOCore

/// What the responder knows about a request besides its parts: the connection.
struct CollectorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The address of the client, or of the proxy before the collector: without the port, and of IPv6 only the network,
    /// because a client can use all addresses of its network.
    var peer: String { Self.network(of: channel.remoteAddress?.ipAddress ?? "") }

    /// The first 64 bits of an IPv6 address; any other address as it is.
    static func network(of address: String) -> String {
        // IPv4 in the form of IPv6 has one network for all addresses.
        guard address.contains(":"), !address.hasPrefix("::ffff:") else { return address }
        let gap = address.firstRange(of: "::") ?? address.endIndex..<address.endIndex
        let (start, end) = (address[..<gap.lowerBound], address[gap.upperBound...])
        let (first, last) = (start.split(separator: ":"), end.split(separator: ":"))
        let zeros = [Substring](repeating: "0", count: max(0, 8 - first.count - last.count))
        return (first + zeros + last).prefix(4).joined(separator: ":")
    }
}
