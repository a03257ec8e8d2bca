/// What a collector runs with.
public struct CollectorSettings: Sendable, Hashable {
    /// Where it listens.
    public var address: ListenAddress = .standard
    /// Kafka's `HOST:PORT,…`.
    public var bootstrapServers = "localhost:9092"
    /// The topic that events are published to.
    public var topic = "app-events"
    /// The write keys that are valid at the start.
    public var keys: [WriteKey] = []
    /// What a request, a key and all clients together may ask for.
    public var limits = CollectorLimits()
    /// How long things may take.
    public var timeouts = CollectorTimeouts()
    /// The certificate, where the collector speaks TLS itself.
    public var tls: CollectorTLS?
    /// The origins whose pages may send events, such as `https://shop.example.com`.
    public var origins: [String] = []
    /// Further librdkafka properties, as text.
    public var kafka: [String: String] = [:]

    /// Creates the settings that hold where nothing is configured. No key is valid then.
    public init() {}
}

/// What is refused with 413, 429 and 503.
public struct CollectorLimits: Sendable, Hashable {
    /// The bytes of a body as it is sent.
    public var bodySize = 1_048_576
    /// The bytes of a body after decompression.
    public var decompressedSize = 8_388_608
    /// The events of a batch.
    public var batchCount = 1_000
    /// The events that a write key may send in a second, over ten seconds.
    public var eventsPerSecond = 10_000
    /// Connections. Further ones wait until one of these is closed.
    public var connections = 1_000
    /// The bytes that all requests together may hold until Kafka has acknowledged them.
    public var pendingSize = 67_108_864

    /// Creates the limits that hold where nothing is configured.
    public init() {}
}

/// How long a client and Kafka may take.
public struct CollectorTimeouts: Sendable, Hashable {
    /// For a request, from the end of its headers to the end of its body.
    public var request = Duration.seconds(30)
    /// For a connection without a request, and for a request's headers.
    public var idle = Duration.seconds(60)
    /// For Kafka's acknowledgement; after that the answer is 503.
    public var publish = Duration.seconds(10)

    /// Creates the times that hold where nothing is configured.
    public init() {}
}

/// The files of a TLS server, in PEM.
public struct CollectorTLS: Sendable, Hashable {
    /// The certificate, and those between it and its authority.
    public var certificate: String
    /// The private key.
    public var key: String

    /// Creates it from the files' paths.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// An address to listen on: `127.0.0.1:8080`, `[::1]:8080`.
public struct ListenAddress: Sendable, Hashable {
    /// The name or address.
    public let host: String
    /// The port; 0 is any that is free.
    public let port: Int

    /// Only this machine: a collector that others can reach is asked for.
    public static let standard = ListenAddress(host: "127.0.0.1", port: 8080)

    /// Creates an address from its parts.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads an address; `nil` where it is not `HOST:PORT`.
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
}
