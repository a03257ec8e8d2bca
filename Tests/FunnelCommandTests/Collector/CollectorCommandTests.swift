import FlowTestSupport
import Foundation
import RDKafka
import KafkaTestSupport
import Testing

/// How `event-collector` starts, is told things, and ends.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct CollectorCommandTests {
    private static let event = #"""
        {"specversion":"1.0","id":"1","source":"app://com.example.shop","type":"screen_view",\#
        "time":"2026-03-01T10:00:00Z","data":{"install_id":"i"}}
        """#

    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let configuration: String?
        var arguments: [String] = []
        var environment: [String: String] = [:]
        let status: Int32
        let message: String
    }

    private static let keys = "keys: [{name: a, secret: 0123456789abcdef0123, sources: [x]}]\n"

    static let mistakes = [
        Mistake(
            testDescription: "no configuration",
            configuration: nil,
            status: 78,
            message: "copy config/collector.example.yaml"
        ),
        Mistake(
            testDescription: "an unknown key",
            configuration: keys + "lisen: 127.0.0.1:0",
            status: 78,
            message: "collector.yaml:2: the collector's configuration: unknown key 'lisen'"
        ),
        Mistake(
            testDescription: "no write key",
            configuration: "topic: x",
            status: 78,
            message: "collector.yaml:1: the collector's configuration: the key 'keys' is missing"
        ),
        Mistake(
            testDescription: "a property that librdkafka does not know",
            configuration: keys + "kafka: {linger: 1}",
            status: 78,
            message: "config/collector.yaml:2: Kafka property \"linger\""
        ),
        Mistake(
            testDescription: "a certificate that is not there",
            configuration: keys + "tls: {certificate: /none.pem, key: /none.pem}",
            status: 78,
            message: "/none.pem: expected a certificate in PEM"
        ),
        Mistake(
            testDescription: "a variable that is no address",
            configuration: keys,
            environment: ["COLLECTOR_LISTEN": "8080"],
            status: 78,
            message: "COLLECTOR_LISTEN: expected HOST:PORT"
        ),
        Mistake(
            testDescription: "a flag that is no address",
            configuration: keys,
            arguments: ["--listen", "8080"],
            status: 64,
            message: "expected HOST:PORT"
        ),
        Mistake(
            testDescription: "an address that is not this machine's",
            configuration: keys,
            arguments: ["--listen", "192.0.2.1:0"],
            status: 69,
            message: "cannot listen on 192.0.2.1:0"
        ),
        Mistake(
            testDescription: "a host that there is not",
            configuration: keys,
            arguments: ["--listen", "no-host.invalid:0"],
            status: 69,
            message: "cannot listen on no-host.invalid:0"
        ),
    ]

    @Test(arguments: mistakes)
    func `a mistake ends it with its code and a sentence about it`(mistake: Mistake) async throws {
        let directory = try TemporaryDirectory()
        if let text = mistake.configuration { try directory.write(text, to: "config/collector.yaml") }
        let outcome = try await Command(
            "event-collector",
            mistake.arguments,
            in: directory,
            environment: ["KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:9"].merging(mistake.environment) { $1 }
        ).end()
        #expect(outcome.status == mistake.status && !outcome.isKilled)
        #expect(outcome.errors.contains(mistake.message), "\(outcome.errors)")
        #expect(outcome.output.isEmpty && !outcome.errors.contains("0123456789abcdef"))
    }

    @Test func `a port in use ends it with 69`() async throws {
        let pipeline = try Pipeline()
        let first = try await CollectorProcess.start(pipeline)
        let port = try #require(first.client.address.port)
        let outcome = try await CollectorProcess.launch(pipeline, port: port).end()
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("cannot listen on 127.0.0.1:\(port)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("--listen"))
    }

    @Test func `it starts before Kafka does, takes nothing meanwhile, and is ready when Kafka is there`() async throws {
        let pipeline = try Pipeline()
        try pipeline.broker.cutOff()
        let collector = try await CollectorProcess.start(pipeline, settings: "timeouts: {publish: 500ms}")
        #expect(try await collector.client.get("healthz").status == 200)
        #expect(try await collector.client.get("readyz").status == 503)
        #expect(try await collector.client.post("[\(Self.event)]").status == 503)
        try pipeline.broker.bringUp()
        try await collector.client.wait(for: "readyz") { status, _ in status == 200 }
        // On a busy machine, Kafka may need longer than half a second at first.
        try await until("it takes an event") { try await collector.client.post("[\(Self.event)]").status == 200 }
    }

    @Test func `SIGHUP reads the write keys again, and a mistake in them changes nothing`() async throws {
        let pipeline = try Pipeline()
        let collector = try await CollectorProcess.start(pipeline)
        try CollectorProcess.configure(pipeline, secret: "another-secret-of-the-tests")
        #expect(try await collector.client.post("[]").status == 200)
        collector.command.send(SIGHUP)
        try await collector.command.says("write keys read again")
        #expect(try await collector.client.post("[]").status == 401)
        #expect(try await collector.client.post("[]", secret: "another-secret-of-the-tests").status == 200)
        try CollectorProcess.configure(pipeline, secret: "short")
        collector.command.send(SIGHUP)
        try await collector.command.says("the write keys stay as they were")
        #expect(try await collector.client.post("[]", secret: "another-secret-of-the-tests").status == 200)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal lets it answer what waits for Kafka, take no more, and end with 0`(signal: Int32) async throws {
        let pipeline = try Pipeline()
        let collector = try await CollectorProcess.start(pipeline)
        try await collector.client.wait(for: "readyz") { status, _ in status == 200 }
        try pipeline.broker.setRoundTrip(.seconds(2))
        let client = collector.client
        async let waiting = client.post("[\(Self.event)]")
        try await collector.client.wait(for: "metrics") { _, text in !text.contains("collector_pending_bytes 0\n") }
        collector.command.send(signal)
        let answer = try await waiting
        #expect(answer.status == 200)
        #expect(answer.body == #"{"results":[{"id":"1","status":"accepted"}]}"#)
        let outcome = try await collector.command.end()
        #expect(outcome.status == 0 && !outcome.isKilled, "\(outcome.errors)")
        await #expect(throws: (any Error).self) { try await collector.client.get("healthz") }
        try pipeline.broker.setRoundTrip(.zero)
        #expect(try await pipeline.count().status == 0)
        #expect(try await pipeline.jsonReport().quality.events == 1)
    }
}
