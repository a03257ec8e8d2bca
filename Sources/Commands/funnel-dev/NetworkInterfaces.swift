import NIOCore

/// The addresses of this machine.
enum NetworkInterfaces {
    /// The address by which other machines reach a server that listens on `host`: for one that stands for all interfaces,
    /// that of the first interface that is not the loopback.
    static func name(for host: String) -> String {
        guard host == "0.0.0.0" || host == "::" else { return host }
        let devices = (try? System.enumerateDevices()) ?? []
        let addresses = devices.compactMap { $0.address?.ipAddress }
        return addresses.first { !$0.contains(":") && !$0.hasPrefix("127.") && !$0.hasPrefix("169.254.") } ?? host
    }
}
