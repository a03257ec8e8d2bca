import RDKafka
import Testing

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

    @Test func `settings that contradict each other are explained`() throws {
        let error = try #require(
            #expect(throws: KafkaConfigurationError.self) {
                try Producer(configuration: ["enable.idempotence": "true", "acks": "1"], logger: silent)
            }
        )
        #expect("\(error)".contains("acks"))
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
