import EventTracking
import FlowTestSupport
import Foundation
import FunnelServiceSupport
import RDKafka
import YAMLNodes
import KafkaSink
import ServiceLifecycle
import KafkaTestSupport
import Testing

@testable import EventCollector

let secret = "test-secret-0123456789"

/// A collector in this process with a broker of its own. Tests send requests with curl.
struct RunningCollector {
    static let topic = "app-events"

    let port: Int
    let broker: EmbeddedBroker
    let keys: WriteKeys
    let log: LogLines
    let group: ServiceGroup

    var url: String { "http://127.0.0.1:\(port)/v1/events" }

    let partitions: Int

    static func with(
        partitions: Int = 1,
        _ change: (inout CollectorSettings) throws -> Void = { _ in },
        _ body: (RunningCollector) async throws -> Void
    ) async throws {
        let log = LogLines()
        let broker = try EmbeddedBroker.notInherited(logger: LogLines().logger)
        try broker.createTopic(topic, partitions: partitions)
        var settings = CollectorSettings()
        settings.address = ListenAddress(host: "127.0.0.1", port: 0)
        settings.bootstrapServers = broker.bootstrapServers
        settings.keys = [WriteKey(name: "shop", secret: secret, sources: ["app://com.example.shop"])]
        settings.kafka = ["reconnect.backoff.ms": "20", "reconnect.backoff.max.ms": "50", "retry.backoff.ms": "20"]
        try change(&settings)
        let sink = try EventSink.kafka(KafkaProperties.producer(settings), topic: topic, logger: log.logger)
        let keys = WriteKeys(settings.keys)
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let collector = EventCollector(settings: settings, keys: keys, sink: sink, logger: log.logger) { port in
            continuation.yield(port)
        }
        let group = ServiceGroup(services: [collector], logger: LogLines().logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            var iterator = ports.makeAsyncIterator()
            if let port = await iterator.next() {
                try await body(
                    RunningCollector(
                        port: port,
                        broker: broker,
                        keys: keys,
                        log: log,
                        group: group,
                        partitions: partitions
                    )
                )
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Posts a body with curl, with the headers of an app.
    func post(
        _ body: [UInt8],
        type: String = "application/cloudevents-batch+json",
        _ arguments: [String] = []
    ) async throws -> Answer {
        let standard = ["-H", "Authorization: Bearer \(secret)", "-H", "Content-Type: \(type)"]
        return try await Answer(curl: standard + arguments + ["--data-binary", "@-", url], input: body)
    }

    func post(_ body: String, type: String = "application/cloudevents-batch+json") async throws -> Answer {
        try await post(Array(body.utf8), type: type)
    }

    func get(_ path: String, _ arguments: [String] = []) async throws -> Answer {
        try await Answer(curl: arguments + ["http://127.0.0.1:\(port)\(path)"])
    }

    /// Sends requests until the condition holds for an answer.
    ///
    /// A collector with all its connections in use closes one whose request has not begun, and this can be the one that
    /// asks. It gets no answer then.
    func wait(for path: String, _ condition: (Answer) -> Bool) async throws {
        try await until("the condition holds for \(path)") {
            guard let answer = try? await get(path) else { return false }
            return condition(answer)
        }
    }

    /// A record of a topic.
    struct Record {
        var key: String
        var value: [UInt8]
        var headers: [String: String]

        var contentType: String? { headers["content-type"] }
        var text: String { String(decoding: value, as: UTF8.self) }
    }

    /// All current records of a topic, partition by partition.
    func records(of topic: String = topic) throws -> [Record] {
        let configuration = KafkaConfiguration(bootstrapServers: broker.bootstrapServers)
        let consumer = try Consumer(configuration: configuration, groupID: nil, logger: LogLines().logger)
        defer { consumer.close() }
        var records: [Record] = []
        let deadline = ContinuousClock.now + patience
        for number in 0..<(topic == Self.topic ? partitions : 1) {
            let partition = TopicPartition(topic: topic, partition: Int32(number))
            let end = try records.count + Int(consumer.watermarks(of: partition, within: patience).high)
            try consumer.assign([PartitionStart(partition, at: .earliest)])
            while records.count < end {
                try #require(ContinuousClock.now < deadline)
                consumer.poll(timeout: .milliseconds(50)).records.forEach { record in
                    let headers = record.headers().map { header in
                        (header.name, header.value.map { String(decoding: $0, as: UTF8.self) } ?? "")
                    }
                    records.append(
                        Record(
                            key: record.key.map { String(decoding: $0, as: UTF8.self) } ?? "",
                            value: record.value.map { Array($0) } ?? [],
                            headers: Dictionary(headers) { $1 }
                        )
                    )
                }
            }
        }
        return records
    }
}

/// An event as text, with spaces, escapes and an extension that encoding it again would change.
func eventText(_ id: String, source: String = "app://com.example.shop", extra: String = "") -> String {
    #"{ "specversion":"1.0", "id":"\#(id)","source":"\#(source)","type":"screen_view",  "#
        + #""time":"2026-03-01T10:00:00.120000Z","data":{"install_id":"install-\u0031","screen":"h\u00f6me"\#(extra)},"x":1.50}"#
}
