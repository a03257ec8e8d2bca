import FlowTestSupport
import Foundation
import Testing

@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct EmbeddedBrokerCommandTests {
    @Test func `it prints its address, serves the topics, and ends with its standard input`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(Fixture.text("funnels.yaml"), to: "config/funnels.yaml")
        let arguments = ["--topic", "app-events:3", "--topic", "app-events.dlq:1"]
        let broker = try Command("embedded-broker", arguments, in: directory, hasInput: true)
        try await until("its address is printed") { broker.output.hasSuffix("\n") }
        let address = broker.output.trimmingCharacters(in: .newlines)
        #expect(address.hasPrefix("127.0.0.1:") && !address.contains("\n"))
        let consumer = try Command(
            "funnel-consumer",
            ["--bootstrap-servers", address, "--exit-at-end"],
            in: directory
        )
        let outcome = try await consumer.end()
        #expect(outcome.status == 0 && !outcome.errors.contains("does not exist"), "\(outcome.errors)")
        #expect(broker.isRunning)
        try broker.closeInput()
        let end = try await broker.end()
        #expect(end.status == 0 && !end.isKilled && end.errors.isEmpty)
    }

    @Test(arguments: ["app-events", "app-events:0", ":3", "a:b:c"])
    func `a topic that is not NAME-PARTITIONS is a matter of usage`(topic: String) async throws {
        let broker = try Command("embedded-broker", ["--topic", topic], in: TemporaryDirectory())
        let outcome = try await broker.end()
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("NAME:PARTITIONS") && outcome.errors.contains("'\(topic)'"))
    }
}
