import FunnelConsumerConfiguration
import Testing
import YAMLNodes

@Suite struct ConsumerSettingsTests {
    @Test func `with nothing configured the contract's defaults hold`() throws {
        let settings = try ConsumerSettings(layers: [])
        #expect(settings.bootstrapServers == "localhost:9092")
        #expect(settings.topic == "app-events")
        #expect(settings.deadLetterTopic == "app-events.dlq")
        // The consumer's own: "funnel-consumer", with the id of a store that consumers share.
        #expect(settings.groupID == nil)
        #expect(settings.store == .sqlite(path: "funnels.sqlite"))
        #expect(settings.funnels == "config/funnels.yaml")
        #expect(settings.allowedLateness == .seconds(1_209_600))
        #expect(settings.shutdownTimeout == .seconds(20))
        #expect(settings.kafka.values.isEmpty)
        #expect(settings.metricsPort == nil && settings.metricsHost == "127.0.0.1")
    }

    @Test func `metrics are on where a port is given, on loopback unless told otherwise, and 0 is off`() throws {
        let environment = try ConsumerLayer(environment: ["METRICS_PORT": "9464", "METRICS_HOST": "0.0.0.0"])
        let settings = try ConsumerSettings(layers: [environment])
        #expect(settings.metricsPort == 9464 && settings.metricsHost == "0.0.0.0")
        let off = try ConsumerSettings(layers: [ConsumerLayer(metricsPort: 0), environment])
        #expect(off.metricsPort == nil)
    }

    @Test(arguments: ["70000", "-1", "x", "1.5"]) func `a port that is none is refused by the variable's name`(
        port: String
    ) {
        let error = #expect(throws: ConfigurationError.self) { try ConsumerLayer(environment: ["METRICS_PORT": port]) }
        #expect(error?.description.contains("METRICS_PORT") == true && error?.description.contains(port) == true)
    }

    @Test func `flags go before the environment, the environment before the file`() throws {
        let flags = ConsumerLayer(topic: "flag")
        let environment = try ConsumerLayer(environment: [
            "KAFKA_BOOTSTRAP_SERVERS": "env:1", "KAFKA_TOPIC": "env", "KAFKA_DEAD_LETTER_TOPIC": "env.dlq",
            "KAFKA_GROUP_ID": "", "STORE_URL": "sqlite:env", "FUNNELS_PATH": "env.yaml",
        ])
        let file = ConsumerLayer(topic: "file", groupID: "file", store: .sqlite(path: "file"), kafka: ["a": "1"])
        let settings = try ConsumerSettings(layers: [flags, environment, file])
        #expect(settings.topic == "flag")
        #expect(settings.bootstrapServers == "env:1")
        #expect(settings.deadLetterTopic == "env.dlq")
        #expect(settings.groupID == "file")
        #expect(settings.store == .sqlite(path: "env"))
        #expect(settings.funnels == "env.yaml")
        #expect(settings.kafka == ["a": "1"])
    }

    @Test func `a stronger layer's librdkafka property wins, the others stay`() throws {
        let layers = [ConsumerLayer(kafka: ["a": "1"]), ConsumerLayer(kafka: ["a": "2", "b": "3"])]
        #expect(try ConsumerSettings(layers: layers).kafka == ["a": "1", "b": "3"])
    }

    @Test func `events and dead letters cannot share a topic`() {
        #expect(throws: ConfigurationError.self) {
            try ConsumerSettings(layers: [ConsumerLayer(topic: "t", deadLetterTopic: "t")])
        }
    }

    @Test func `a store that is none is refused by the variable's name, without its text`() {
        let error = #expect(throws: ConfigurationError.self) {
            try ConsumerLayer(environment: ["STORE_URL": "postgre://u:secret@h"])
        }
        #expect(error?.source == "STORE_URL")
        #expect(error?.description.contains("secret") == false)
    }
}
