import CRDKafka
import KafkaTestSupport
import Testing

@testable import RDKafka

@Suite struct KafkaConfigurationTests {
    @Test func `a group without a name is a mistake`() {
        let error = #expect(throws: KafkaConfigurationError.self) {
            _ = try Consumer(configuration: KafkaConfiguration(bootstrapServers: "127.0.0.1:9"), groupID: "")
        }
        #expect(error?.property == "group.id")
    }

    @Test func `an unknown property is named`() throws {
        let error = #expect(throws: KafkaConfigurationError.self) {
            try Producer(configuration: ["bootstrap.servers": "localhost:9", "compresion.codec": "zstd"])
        }
        #expect(error?.property == "compresion.codec" && error?.code == .unknownProperty)
        #expect("\(try #require(error))".contains("compresion.codec"))
    }

    @Test func `a value that is not allowed is explained with its property`() throws {
        let error = try #require(
            #expect(throws: KafkaConfigurationError.self) {
                try Consumer(configuration: ["fetch.min.bytes": "many"], groupID: nil)
            }
        )
        #expect(error.property == "fetch.min.bytes")
        #expect("\(error)".contains("fetch.min.bytes"))
    }

    @Test(arguments: ["auto.offset.reset", "enable.auto.commit", "enable.auto.offset.store", "group.id"])
    func `a property that the consumer sets itself is refused`(property: String) throws {
        let error = try #require(
            #expect(throws: KafkaConfigurationError.self) {
                try Consumer(configuration: [property: "true"], groupID: "g")
            }
        )
        #expect(error.property == property)
        #expect(error.code == .reservedProperty)
    }

    @Test(arguments: [(0x0200_02FF, "2.0.2"), (0x0203_00FF, "2.3.0"), (0x0205_03FF, "2.5.3")] as [(Int32, String)])
    func `a strategy that an older librdkafka crashes or hangs with is refused`(version: Int32, text: String) throws {
        let configuration: KafkaConfiguration = ["partition.assignment.strategy": "cooperative-sticky"]
        let error = try #require(
            #expect(throws: KafkaConfigurationError.self) { try configuration.refuseUnsafeStrategy(version: version) }
        )
        #expect(error.property == "partition.assignment.strategy")
        #expect("\(error)".contains("needs librdkafka 2.6 or newer, and this is \(text),"))
    }

    @Test func `a strategy that all versions can be trusted with, or that this one can, is not refused`() throws {
        let configuration: KafkaConfiguration = ["partition.assignment.strategy": "cooperative-sticky"]
        try configuration.refuseUnsafeStrategy(version: 0x0206_00FF)
        for strategy in ["range", "roundrobin", "range,roundrobin"] {
            let configuration: KafkaConfiguration = ["partition.assignment.strategy": strategy]
            try configuration.refuseUnsafeStrategy(version: 0x0200_02FF)
        }
    }

    @Test(.enabled(if: librdkafkaVersion < 0x0206_0000, "this librdkafka can be trusted with it"))
    func `a consumer does not begin with a strategy that is not safe`() throws {
        let configuration: KafkaConfiguration = ["partition.assignment.strategy": "cooperative-sticky"]
        let error = #expect(throws: KafkaConfigurationError.self) {
            _ = try Consumer(configuration: configuration, groupID: "g", logger: silent)
        }
        #expect(error?.property == "partition.assignment.strategy")
    }

    @Test func `settings that contradict each other are explained`() throws {
        let error = try #require(
            #expect(throws: KafkaConfigurationError.self) {
                try Producer(configuration: ["enable.idempotence": "true", "acks": "1"], logger: silent)
            }
        )
        #expect("\(error)".contains("acks"))
    }

    @Test func `the two names of a property are one`() {
        var configuration: KafkaConfiguration = ["max.partition.fetch.bytes": "50000000"]
        #expect(configuration["fetch.message.max.bytes"] == "50000000")
        let defaults: KafkaConfiguration = ["fetch.message.max.bytes": "1", "linger.ms": "5"]
        #expect(
            configuration.withDefaults(defaults).properties == [
                "max.partition.fetch.bytes": "50000000", "linger.ms": "5",
            ]
        )
        configuration["fetch.message.max.bytes"] = "1"
        #expect(configuration.properties == ["fetch.message.max.bytes": "1"])
        configuration["max.partition.fetch.bytes"] = nil
        #expect(configuration.properties.isEmpty)
    }

    @Test(arguments: KafkaConfiguration.aliases.map { ($0.key, $0.value) })
    func `librdkafka sets a property by each of its names`(alias: String, property: String) throws {
        let values = ["acks": "1", "compression.codec": "zstd", "sasl.mechanisms": "PLAIN"]
        let value = values[property] ?? "1234"
        let settings = try #require(rd_kafka_conf_new())
        defer { rd_kafka_conf_destroy(settings) }
        #expect(rd_kafka_conf_set(settings, alias, value, nil, 0) == RD_KAFKA_CONF_OK)
        var (read, size) = ([CChar](repeating: 0, count: 64), 64)
        #expect(rd_kafka_conf_get(settings, property, &read, &size) == RD_KAFKA_CONF_OK)
        #expect(read.prefix { $0 != 0 }.elementsEqual(value.utf8.map(CChar.init)))
    }

    @Test func `no description shows a credential`() {
        let configuration: KafkaConfiguration = [
            "sasl.username": "anna-secret", "sasl.password": "hunter2", "ssl.key.pem": "BEGIN", "client.id": "visible",
        ]
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(text.contains("visible"))
            #expect(!text.contains("anna-secret") && !text.contains("hunter2") && !text.contains("BEGIN"))
        }
    }

    @Test func `an error about a credential does not repeat it`() throws {
        let error = try #require(
            #expect(throws: KafkaConfigurationError.self) {
                try Producer(
                    configuration: ["security.protocol": "ssl", "ssl.key.pem": "no key at all"],
                    logger: silent
                )
            }
        )
        #expect(!"\(error)".contains("no key at all"))
    }
}
