import FunnelServiceSupport

/// The settings of a ``FunnelReportServer``.
package struct ReportServerSettings: Sendable, Hashable {
    /// The address to listen on.
    package var address: ListenAddress
    /// The password that requests must have; `nil` for none.
    let password: ReportPassword?
    /// The limits, which tests lower.
    package var limits = Limits()

    /// The default address, which only this machine can reach.
    package static let standardAddress = ListenAddress(host: "127.0.0.1", port: 8081)

    /// Bounds of what requests can take.
    package struct Limits: Sendable, Hashable {
        /// The number of connections. More of them wait until one closes.
        package var connections = 512
        /// The number of reports that are made at the same time.
        package var reports = 2
        /// The number of reports that wait for their turn.
        package var waiting = 64
        /// The memory for the answers that are kept, in bytes.
        package var cachedBytes = 32 << 20
        /// How long an answer of the store on its state is used for further requests.
        package var stateAge = Duration.milliseconds(200)
        /// How long a request waits for its report.
        package var patience = Duration.seconds(15)

        /// Creates the default limits.
        package init() {}
    }

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - address: the address to listen on.
    ///   - password: the password; `nil` and an empty text for none.
    /// - Throws: ``MissingPassword`` without a password on an address that other machines can reach.
    package init(address: ListenAddress = standardAddress, password: String? = nil) throws(MissingPassword) {
        let password = password.flatMap { $0.isEmpty ? nil : ReportPassword($0) }
        guard address.isLoopback || password != nil else { throw MissingPassword(address: address) }
        self.address = address
        self.password = password
    }
}

/// Other machines can reach a server's address, and there is no password.
package struct MissingPassword: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address.
    package let address: ListenAddress

    /// Creates an error for an address.
    package init(address: ListenAddress) {
        self.address = address
    }

    /// The mistake as a sentence for people.
    package var description: String { "other machines can reach \(address), and there is no password" }
}
