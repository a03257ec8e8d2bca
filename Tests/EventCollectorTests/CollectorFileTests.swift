import FunnelServiceSupport
import RDKafka
import Testing
import YAMLNodes

@testable import EventCollector

@Suite struct CollectorFileTests {
    private static let keys = """
        keys:
          - name: shop
            secret: 0123456789abcdef0123
            sources: ["app://com.example.shop"]

        """

    private static func parse(_ text: String) throws -> CollectorSettings {
        try CollectorFile.parse(Array(text.utf8), file: "collector.yaml")
    }

    @Test func `every setting is read`() throws {
        let settings = try Self.parse(
            Self.keys + """
                listen: "[::1]:9000"
                bootstrap_servers: kafka:19092
                topic: events
                limits:
                  {body_bytes: 1, decompressed_bytes: 2, batch_events: 3, events_per_second: 4, connections: 5,
                  failures_per_second: 6, pending_bytes: 7000, pending_bytes_per_key: 6000}
                timeouts: {request: 5s, idle: 6s, publish: 7s}
                tls: {certificate: c.pem, key: k.pem}
                cors_origins: ["https://shop.example.com"]
                kafka: {linger.ms: 1}
                """
        )
        #expect(settings.address == ListenAddress(host: "::1", port: 9000))
        #expect(settings.bootstrapServers == "kafka:19092")
        #expect(settings.topic == "events")
        #expect(
            settings.keys == [
                WriteKey(name: "shop", secret: "0123456789abcdef0123", sources: ["app://com.example.shop"])
            ]
        )
        let limits = settings.limits
        #expect([limits.bodySize, limits.decompressedSize, limits.batchCount] == [1, 2, 3])
        #expect([limits.eventsPerSecond, limits.connections, limits.failuresPerSecond] == [4, 5, 6])
        #expect([limits.pendingSize, limits.pendingSizePerKey] == [7000, 6000])
        let timeouts = settings.timeouts
        #expect([timeouts.request, timeouts.idle, timeouts.publish] == [.seconds(5), .seconds(6), .seconds(7)])
        #expect(settings.tls == CollectorTLS(certificate: "c.pem", key: "k.pem"))
        #expect(settings.origins == ["https://shop.example.com"])
        #expect(settings.kafka == ["linger.ms": "1"])
    }

    @Test func `the probe reaches the brokers as the producer does, and has nothing of a producer`() throws {
        let reaching = [
            "security.protocol": "ssl", "enable.ssl.certificate.verification": "false", "https.ca.location": "ca.pem",
            "ssl.ca.location": "ca.pem", "client.id": "collector", "broker.address.family": "v4",
        ]
        let lines = (reaching.merging(["linger.ms": "5", "compression.codec": "zstd"]) { $1 }).map {
            "  \($0): \"\($1)\"\n"
        }
        let settings = try Self.parse(Self.keys + "kafka:\n" + lines.joined())
        let probe = KafkaProperties.probe(settings)
        for (property, value) in reaching { #expect(probe[property] == value, "\(property)") }
        #expect(probe["linger.ms"] == nil && probe["compression.codec"] == nil)
    }

    @Test func `by default a collector listens on the loopback interface`() throws {
        #expect(try Self.parse(Self.keys).address.host == "127.0.0.1")
    }

    @Test func `a section whose lines are all comments has the defaults`() throws {
        let settings = try Self.parse(Self.keys + "limits:\ntimeouts:\n  # idle: 1m\nkafka:\n")
        #expect(settings == (try Self.parse(Self.keys)))
    }

    @Test func `a key may use half of the memory, but at least one request`() throws {
        #expect(try Self.parse(Self.keys).limits == CollectorLimits())
        let half = try Self.parse(Self.keys + "limits: {pending_bytes: 100000000}").limits
        #expect(half.pendingSizePerKey == 50_000_000)
        let one = try Self.parse(Self.keys + "limits: {pending_bytes: 40000000}").limits
        #expect(one.pendingSizePerKey == RequestSize.largest(one))
    }

    @Test(arguments: [
        ("topic: x", "collector.yaml:1: the collector's configuration: the key 'keys' is missing"),
        ("keys: []", "collector.yaml:1: keys: expected a list of one or more write keys, found an empty list"),
        (
            "keys:\n  - name: a\n    secret: short\n    sources: [x]",
            "collector.yaml:3: keys, secret of 'a': expected 20"
        ),
        (
            "keys:\n  - name: a b\n    secret: x\n    sources: [x]",
            "collector.yaml:2: keys, name: expected up to 64 letters"
        ),
        (
            "keys:\n  - name: a\n    secret: Change-me-change-me-change-me\n    sources: [x]",
            "collector.yaml:3: keys, secret of 'a': expected a secret of your own, found an example"
        ),
        (
            "keys:\n  - name: a\n    secret: xxxxxxxxxxxxxxxxxxxxxxxx\n    sources: [x]",
            "collector.yaml:3: keys, secret of 'a': expected a secret of your own, found an example"
        ),
        (
            "keys:\n  - name: a\n    secret: 0123456789abcdef0123\n    sources: [x, x]",
            "collector.yaml:4: keys, sources of 'a': 'x' is there twice"
        ),
        (
            "keys:\n  - name: a\n    secret: 0123456789abcdef0123\n    sources: ['app://a ']",
            "collector.yaml:4: keys, sources of 'a': expected a URI reference, found 'app://a ' with a space"
        ),
        (
            "keys:\n  - name: a\n    secret: 0123456789abcdef0123\n    sources: [\(String(repeating: "x", count: 1025))]",
            "collector.yaml:4: keys, sources of 'a': expected at most 1024 bytes"
        ),
        (keys + "topic: app events", "collector.yaml:5: topic: expected up to 249 letters"),
        (keys + "listen: 8080", "collector.yaml:5: listen: expected a text"),
        (keys + "listen: ::1:80", "collector.yaml:5: listen: expected HOST:PORT"),
        (keys + "lisen: a:1", "collector.yaml:5: the collector's configuration: unknown key 'lisen'"),
        (keys + "limits: {body_bytes: 0}", "collector.yaml:5: limits, body_bytes: expected a whole number from 1"),
        (
            keys + "limits: {decompressed_bytes: 17179869184}",
            "collector.yaml:5: limits, decompressed_bytes: expected a whole number from 1 to 2147483647, found '17179869184'"
        ),
        (keys + "bootstrap_servers: ' , '", "collector.yaml:5: bootstrap_servers: expected one or more brokers"),
        (keys + "limits: {pending_bytes: 1000}", "collector.yaml:5: limits: pending_bytes is 1000: expected at least"),
        (
            keys + "limits: {pending_bytes_per_key: 1000}",
            "collector.yaml:5: limits: pending_bytes_per_key is 1000: expected at least"
        ),
        (
            keys + "limits: {pending_bytes_per_key: 100000000}",
            "collector.yaml:5: limits: pending_bytes_per_key is 100000000: expected at most pending_bytes, 67108864"
        ),
        (keys + "timeouts: {request: 5}", "collector.yaml:5: timeouts, request: expected"),
        (
            keys + "timeouts: {publish: 100000d}",
            "collector.yaml:5: timeouts, publish: expected a duration from 10ms to 24d"
        ),
        (keys + "timeouts: {idle: 0s}", "collector.yaml:5: timeouts, idle: expected a duration from 10ms to 24d"),
        (keys + "cors_origins: ['*']", "collector.yaml:5: cors_origins: expected an origin"),
        (keys + "tls: {certificate: x}", "collector.yaml:5: tls: the key 'key' is missing"),
        (keys + "kafka: {acks: 1}", "collector.yaml:5: kafka: 'acks' is set by the collector"),
    ])
    func `the error of a mistake has its line`(text: String, message: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try Self.parse(text) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "none")")
    }

    @Test func `two keys with one secret are refused, and the error does not show it`() {
        let text = Self.keys + "  - {name: again, secret: 0123456789abcdef0123, sources: [x]}\n"
        let error = #expect(throws: ConfigurationError.self) { try Self.parse(text) }
        #expect(error?.line == 5)
        #expect(error?.description.contains("0123456789") == false)
    }

    @Test func `the environment overrides the file`() throws {
        var settings = try Self.parse(Self.keys)
        try settings.apply(environment: [
            "COLLECTOR_LISTEN": "0.0.0.0:80", "KAFKA_BOOTSTRAP_SERVERS": "k:1", "KAFKA_TOPIC": "",
        ])
        #expect(settings.address == ListenAddress(host: "0.0.0.0", port: 80))
        #expect(settings.bootstrapServers == "k:1")
        #expect(settings.topic == "app-events")
        #expect(throws: ConfigurationError.self) { try settings.apply(environment: ["COLLECTOR_LISTEN": "80"]) }
        #expect(throws: ConfigurationError.self) { try settings.apply(environment: ["KAFKA_TOPIC": "a b"]) }
    }
}
