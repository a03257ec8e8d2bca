import FlowEvents
import Foundation
import RDKafka
import Logging
import FlowTestSupport
import KafkaTestSupport
import Testing

/// A broker, a directory with the funnels of the examples, and the commands that work on them.
struct Pipeline {
    static let topic = "app-events"
    static let deadLetterTopic = "app-events.dlq"

    let broker: EmbeddedBroker
    let directory: TemporaryDirectory

    /// - Parameter partitions: of the topic; `nil` leaves it out.
    init(partitions: Int? = 1) throws {
        broker = try EmbeddedBroker.notInherited(logger: silent)
        if let partitions { try broker.createTopic(Self.topic, partitions: partitions) }
        try broker.createTopic(Self.deadLetterTopic, partitions: 1)
        directory = try TemporaryDirectory()
        try directory.write(Fixture.text("funnels.yaml"), to: "config/funnels.yaml")
    }

    var environment: [String: String] { ["KAFKA_BOOTSTRAP_SERVERS": broker.bootstrapServers] }

    /// Starts `funnel-consumer`.
    func consumer(_ arguments: String..., environment: [String: String] = [:]) throws -> Command {
        try Command(
            "funnel-consumer",
            arguments,
            in: directory,
            environment: self.environment.merging(environment) { $1 }
        )
    }

    /// Runs `funnel-consumer --exit-at-end` to its end.
    func count(_ arguments: String..., environment: [String: String] = [:]) async throws -> Command.Outcome {
        try await Command(
            "funnel-consumer",
            ["--exit-at-end"] + arguments,
            in: directory,
            environment: self.environment.merging(environment) { $1 }
        ).end()
    }

    /// Runs `funnel-report` to its end.
    func report(_ arguments: String..., environment: [String: String] = [:]) async throws -> Command.Outcome {
        try await Command("funnel-report", arguments, in: directory, environment: environment).end()
    }

    /// Returns the store's report.
    func jsonReport(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Report {
        let outcome = try await report("--format", "json")
        try #require(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
        return try Report(outcome.output)
    }

    /// Makes consumers join, reconnect and refresh metadata fast. The mock cluster removes a killed member after its
    /// session timeout. The metadata refresh must not coincide with its answer to a join, after three seconds, because the
    /// leader would join again.
    func writeFastSettings(_ more: String = "") throws {
        try directory.write(
            """
            \(more)
            kafka:
              session.timeout.ms: 3500
              heartbeat.interval.ms: 500
              topic.metadata.refresh.interval.ms: 2000
              reconnect.backoff.ms: 20
              reconnect.backoff.max.ms: 100
              retry.backoff.ms: 20
            """,
            to: "config/consumer.yaml"
        )
    }

    /// Publishes records in order.
    func publish(_ messages: [ProducerMessage], to topic: String = Self.topic) async throws {
        let configuration: KafkaConfiguration = [
            "bootstrap.servers": broker.bootstrapServers, "message.max.bytes": "4000000", "linger.ms": "1",
        ]
        let producer = try Producer(configuration: configuration, logger: silent)
        for result in await producer.send(messages, to: topic) { _ = try result.get() }
        await producer.close(within: patience)
    }

    /// Returns all records of the dead-letter topic, or of another topic with one partition.
    func deadLetters(in topic: String = Self.deadLetterTopic) async throws -> [Letter] {
        let configuration = KafkaConfiguration(bootstrapServers: broker.bootstrapServers)
        return try await onThread {
            let consumer = try Consumer(configuration: configuration, groupID: nil, logger: silent)
            defer { consumer.close() }
            let partition = TopicPartition(topic: topic, partition: 0)
            try consumer.assign([PartitionStart(partition, at: .earliest)])
            var letters: [Letter] = []
            let deadline = ContinuousClock.now + patience
            while ContinuousClock.now < deadline {
                let poll = consumer.poll(timeout: .milliseconds(100))
                poll.records.forEach { letters.append(Letter($0)) }
                for case .endOfPartition in poll.events { return letters }
            }
            throw WaitedInVain()
        }
    }
}

/// A record of the dead-letter topic, copied.
struct Letter: Sendable {
    let key: [UInt8]?
    let value: [UInt8]?
    private let headers: [KafkaHeader]

    init(_ record: borrowing ConsumerRecord) {
        key = record.key.map { Array($0) }
        value = record.value.map { Array($0) }
        headers = record.headers()
    }

    /// The text of a header.
    subscript(name: String) -> String? {
        headers.first { $0.name == name }?.value.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A logger that logs nothing.
let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
