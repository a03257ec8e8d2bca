import ArgumentParser
import Foundation
import RDKafka
import Logging

/// Compares publishing through `EventSink.kafka`, encoding included, with kcat, which publishes the same encoded
/// events.
///
/// Both have the same settings and take turns in one run: events through the sink, kcat, events through trackers, kcat,
/// and again. The time of a run begins when the producer is created (or kcat started) and ends when it has delivered
/// its last event and is closed. Without `--bootstrap-servers` all use an embedded broker, on a thread of this process.
///
/// Run it on an idle machine. The sink has more threads than kcat, so on a busy machine it gets more processor time
/// than kcat does, and the ratio is too high.
@main struct SinkBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kafka-sink-bench",
        abstract: "Compares publishing through EventSink.kafka with kcat.",
        discussion: "Prints a line of text and a line of JSON. kcat must be installed."
    )

    @Option(help: "The number of events of a run.") var events = 400_000
    @Option(help: "The number of installs of the events.") var installs = 50_000
    @Option(help: "The number of rounds; the result is the median.") var rounds = 5
    @Option(help: "The number of events of a batch.") var batch = 1_000
    @Option(help: "The number of trackers that share the sink in a run through trackers; each is an install.")
    var trackers =
        60
    @Option(help: "The number of tasks that encode and submit; one task has all events of an install.") var lanes = 2
    @Option(help: "HOST:PORT,… of a Kafka cluster. Default: an embedded broker.") var bootstrapServers: String?
    @Option(help: "The topic; an embedded broker creates it with 6 partitions.") var topic = "kafka-sink-bench"
    @Option(help: "linger.ms of all publishers.") var linger = 5

    func run() async throws {
        let broker = try embeddedBroker()
        let servers = bootstrapServers ?? broker?.bootstrapServers ?? ""
        let settings: KafkaConfiguration = [
            "bootstrap.servers": servers, "enable.idempotence": "true", "acks": "all", "compression.codec": "zstd",
            "partitioner": "murmur2_random", "linger.ms": "\(linger)",
        ]
        let workload = try Workload(events: events, installs: installs)
        defer { workload.remove() }
        let publisher = SinkPublisher(settings: settings, topic: topic, batchCount: batch, laneCount: max(1, lanes))
        var sink: [Double] = []
        var tracker: [Double] = []
        var kcat: [Double] = []
        for round in 1...max(1, rounds) {
            sink.append(try await publisher.publish(workload.events))
            kcat.append(try await KcatPublisher(settings: settings, topic: topic).publish(workload))
            tracker.append(try await publisher.publish(drafts: workload.drafts, trackers: trackers))
            kcat.append(try await KcatPublisher(settings: settings, topic: topic).publish(workload))
            FileHandle.standardError.write(Data("round \(round) of \(rounds)\n".utf8))
        }
        let result = BenchResult(
            events: events,
            meanBytes: workload.meanBytes,
            broker: bootstrapServers == nil ? "embedded, on a thread of this process" : servers,
            sink: sink.median,
            tracker: tracker.median,
            kcat: kcat.median
        )
        print(result.line)
        print(try result.json())
        withExtendedLifetime(broker) {}
    }

    private func embeddedBroker() throws -> EmbeddedBroker? {
        guard bootstrapServers == nil else { return nil }
        let broker = try EmbeddedBroker()
        try broker.createTopic(topic, partitions: 6)
        return broker
    }
}

/// The result of a benchmark, in events per second.
struct BenchResult: Encodable {
    var events: Int
    var meanBytes: Int
    var broker: String
    var sink: Double
    var tracker: Double
    var kcat: Double

    private enum CodingKeys: String, CodingKey {
        case events, broker
        case meanBytes = "mean_bytes"
        case sink = "sink_events_per_second"
        case tracker = "tracker_events_per_second"
        case kcat = "kcat_events_per_second"
        case sinkRatio = "sink_ratio"
        case trackerRatio = "tracker_ratio"
    }

    var line: String {
        "EventSink.kafka \(Int(sink))/s, trackers \(Int(tracker))/s, kcat \(Int(kcat))/s; "
            + "ratio \((sink / kcat).hundredths), through trackers \((tracker / kcat).hundredths) "
            + "(\(events) events of \(meanBytes) bytes; broker: \(broker))"
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(events, forKey: .events)
        try container.encode(broker, forKey: .broker)
        try container.encode(meanBytes, forKey: .meanBytes)
        try container.encode(sink.rounded(), forKey: .sink)
        try container.encode(tracker.rounded(), forKey: .tracker)
        try container.encode(kcat.rounded(), forKey: .kcat)
        try container.encode((sink / kcat * 1000).rounded() / 1000, forKey: .sinkRatio)
        try container.encode((tracker / kcat * 1000).rounded() / 1000, forKey: .trackerRatio)
    }
}

extension Double {
    fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
}

extension [Double] {
    fileprivate var median: Double { sorted()[count / 2] }
}
