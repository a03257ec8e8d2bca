import FunnelConsumerConfiguration
import Testing
import YAMLNodes

@Suite struct ConsumerFileTests {
    private func parse(_ yaml: String) throws -> ConsumerLayer {
        try ConsumerFile.parse(Array(yaml.utf8), file: "config/consumer.yaml")
    }

    @Test func `a whole file is read`() throws {
        let layer = try parse(
            """
            bootstrap_servers: a:9092,b:9092
            topic: events
            dead_letter_topic: events.dlq
            group_id: funnels
            store: postgres://u:p@h/db
            funnels: funnels.yaml
            allowed_lateness: 1d12h
            shutdown_timeout: 45s
            metrics_port: 9464
            metrics_host: "::1"
            kafka:
              security.protocol: SASL_SSL
              sasl.password: 0123
              enable.ssl.certificate.verification: true
              client.id: "x"
            """
        )
        #expect(
            layer
                == ConsumerLayer(
                    bootstrapServers: "a:9092,b:9092",
                    topic: "events",
                    deadLetterTopic: "events.dlq",
                    groupID: "funnels",
                    store: try StoreURL("postgres://u:p@h/db"),
                    funnels: "funnels.yaml",
                    allowedLateness: .seconds(129_600),
                    shutdownTimeout: .seconds(45),
                    metricsPort: 9464,
                    metricsHost: "::1",
                    kafka: [
                        "security.protocol": "SASL_SSL", "sasl.password": "0123",
                        "enable.ssl.certificate.verification": "true", "client.id": "x",
                    ]
                )
        )
    }

    @Test(arguments: ["70000", "-1", "1.5", "x", "'9464'", "[1]"])
    func `a port that is none is a mistake in its line`(port: String) {
        let error = #expect(throws: ConfigurationError.self) { try parse("topic: t\nmetrics_port: \(port)") }
        #expect(error?.line == 2 && error?.message.contains("metrics_port: expected a TCP port") == true)
    }

    @Test func `the memory for installs' states is given in MiB`() throws {
        #expect(try parse("state_cache_mib: 64").stateCacheMebibytes == 64)
        #expect(try ConsumerSettings(layers: []).stateCacheMebibytes == 512)
        let layers = try [ConsumerLayer(environment: ["STATE_CACHE_MIB": "128"]), parse("state_cache_mib: 64")]
        #expect(try ConsumerSettings(layers: layers).stateCacheMebibytes == 128)
    }

    @Test(arguments: ["0", "-1", "1.5", "99999999", "x", "'64'", "64MiB", "[1]"])
    func `a size of memory that is none is a mistake in its line`(size: String) {
        let error = #expect(throws: ConfigurationError.self) { try parse("topic: t\nstate_cache_mib: \(size)") }
        #expect(error?.line == 2 && error?.message.contains("state_cache_mib: expected a number of MiB") == true)
        let environment = ["STATE_CACHE_MIB": size]
        #expect(throws: ConfigurationError.self) { try ConsumerLayer(environment: environment) }
    }

    @Test func `what librdkafka calls by another name is the same setting`() throws {
        let layer = try parse("kafka: {bootstrap.servers: 'h:1', group.id: g}")
        #expect(layer == ConsumerLayer(bootstrapServers: "h:1", groupID: "g"))
    }

    @Test(arguments: [
        ("topic: a\ntopics: b", 2, "unknown key 'topics': expected bootstrap_servers, topic"),
        ("topic:", 1, "topic: expected a text, found nothing (null)"),
        ("topic: 17", 1, "topic: expected a text, found a number: write it in quotes, as \"17\""),
        ("topic: [a]", 1, "topic: expected a text, found a list"),
        ("\nstore: mysql://h", 2, "store: expected a store as sqlite:PATH"),
        ("allowed_lateness: 14", 1, "allowed_lateness: expected a duration such as 30m"),
        ("shutdown_timeout: 20", 1, "shutdown_timeout: expected a duration such as 30m"),
        ("allowed_lateness: 100001d", 1, "allowed_lateness: expected at most 100000d"),
        ("kafka: x", 1, "kafka: expected a mapping, found a text"),
        ("kafka:\n  sasl.password:", 2, "kafka, 'sasl.password': expected a text, a number or a truth value"),
        ("kafka:\n  a: [b]", 2, "kafka, 'a': expected a text, a number or a truth value, found a list"),
        ("group_id: a\nkafka:\n  group.id: b", 3, "'group.id' and group_id are both given"),
    ])
    func `a mistake is refused with its line`(yaml: String, line: Int, words: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try parse(yaml) }
        #expect(error.source == "config/consumer.yaml")
        #expect(error.line == line)
        #expect(error.message.contains(words), "\(error)")
    }

    @Test(arguments: ["", "# nothing\n", "---\n", "kafka:\n  # client.id: x\n"])
    func `a file or a section whose lines are all comments has no settings`(yaml: String) throws {
        #expect(try parse(yaml) == ConsumerLayer())
    }

    @Test func `a file that was asked for has to be there`() {
        #expect(throws: ConfigurationError.self) { try ConsumerFile.read(path: "/nonexistent/consumer.yaml") }
    }
}
