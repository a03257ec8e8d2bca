import ArgumentParser
import Foundation
import RDKafka
import Logging

/// Publishing through `EventSink.kafka`, encoding included, against kcat that publishes the same ready-made bytes.
///
/// Both have the same settings, and take turns in one run: events through the sink, through trackers, through kcat, and
/// again. A time goes from making the producer (or starting kcat) to its last delivery and its end. Without
/// `--bootstrap-servers` the broker is an embedded one, on a thread of its own in this process, for all alike.
///
/// Run it on a machine that does nothing else: the sink has more threads than kcat, so where others compete for the
/// processors it gets more of them than kcat does, and the ratio flatters it.
@main struct SinkBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kafka-sink-bench",
        abstract: "Compares publishing through EventSink.kafka with kcat.",
        discussion: "Prints a line of text and a line of JSON. kcat has to be installed."
    )

    @Option(help: "How many events a run publishes.") var events = 400_000
    @Option(help: "How many installs they belong to.") var installs = 50_000
    @Option(help: "How many rounds; the median counts.") var rounds = 5
    @Option(help: "How many events a batch has.") var batch = 1_000
    @Option(help: "How many trackers share the sink in the run through trackers; each is one install.") var trackers =
        60
    @Option(help: "How many tasks encode and submit; an install's events all on one.") var lanes = 2
    @Option(help: "HOST:PORT,… of a Kafka to publish to; without it an embedded broker.") var bootstrapServers: String?
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

/// What a run came to, in events a second.
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
