import EventTracking
import FlowEvents
import FunnelConsumer
import FunnelFile
import FunnelStore
import FunnelStorePostgres
import FunnelStoreSQLite
import Funnels
import KafkaSink
import Logging
import RDKafka
import ServiceLifecycle
import Testing
import UnixSignals

// The code blocks of the articles about the server's modules and the wire, each in a function with what the block does not
// say. `ArticleTests` compares them. That the functions compile is the test; those that need no server are called.

private enum ConsumerArticle {
    static func overview(logger: Logger) async throws {
        let options = FunnelConsumerOptions(
            kafka: KafkaConfiguration(bootstrapServers: "localhost:9092"),
            topic: "app-events",
            deadLetterTopic: "app-events.dlq",
            groupID: "funnels",
            funnels: try FunnelsFile.read(path: "config/funnels.yaml"),
            allowedLateness: .seconds(14 * 86_400),
            exitsAtEnd: false
        )
        let store = try SQLiteFunnelStore(path: "funnels.sqlite")
        let consumer = FunnelConsumer(options: options, store: store, logger: logger)
        try await ServiceGroup(services: [consumer], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger).run()
    }
}

private enum FileArticle {
    static func overview() throws {
        let funnels = try FunnelsFile.read(path: "config/funnels.yaml")
        print(funnels.map(\.name))
    }
}

private enum StoreArticle {
    static func overview(funnels: [Funnel]) throws -> [PartitionProgress] {
        let store = try SQLiteFunnelStore(path: "funnels.sqlite")
        let progress = try store.open(StoreIdentity(clusterID: "cluster", topic: "app-events", funnels: funnels))
        return progress
    }

    static func postgres() throws -> FunnelReport {
        let reader = try PostgresFunnelReader(url: "postgres://reports@db.example.com/funnels?sslmode=verify-full")
        let report = try reader.withSnapshot { source in
            try FunnelReport.make(from: source, funnels: reader.funnels)
        }
        return report
    }

    static func sqlite() throws -> FunnelReport {
        let reader = try SQLiteFunnelReader(path: "funnels.sqlite")
        let report = try reader.withSnapshot { source in
            try FunnelReport.make(from: source, funnels: reader.funnels)
        }
        return report
    }
}

private enum FunnelsArticle {
    static func parts() throws -> Funnel {
        let funnel = try Funnel(
            name: "paywall-to-purchase",
            count: .sessions,
            window: .seconds(3600),
            breakdown: "paywall_source",
            steps: [
                Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
                Step(name: "purchase", event: "purchase"),
            ]
        )
        return funnel
    }

    static func builder() throws -> Funnel {
        let revenue = try Funnel(
            name: "paywall-revenue",
            count: .by("presentation_id"),
            window: .seconds(3 * 86_400),
            breakdown: "paywall_source",
            timeZone: FunnelTimeZone("Europe/Berlin")
        ) {
            Step(name: "paywall", event: "screen_view")
                .where("screen", .is("paywall"))
            Step(name: "purchase", event: "purchase")
                .where("properties.plan", .isNot("trial", "promo"))
                .where("properties.price", .atLeast(1), .lessThan(100))
                .summing("properties.price", decimals: 2, unit: "properties.currency")
            Exclusion(event: "paywall_close", from: "paywall", to: "purchase")
                .where("transition", .is("swipe_dismiss"))
        }
        return revenue
    }

    static func report(reader: SQLiteFunnelReader) throws {
        let report = try reader.withSnapshot { source in
            try FunnelReport.make(
                from: source,
                funnels: reader.funnels,
                ReportRequest(funnels: ["paywall-to-purchase"])
            )
        }
        for step in report.funnels[0].steps {
            print(step.name, step.count, step.conversionFromFirst?.description ?? "–")
        }
    }

    static func request(reader: SQLiteFunnelReader, first: Day, last: Day) throws -> FunnelReport {
        let request = ReportRequest(days: .between(first, last), trend: .day, isCompared: true, hasTimes: true)
        let report = try reader.withSnapshot { try FunnelReport.make(from: $0, funnels: reader.funnels, request) }
        return report
    }
}

private enum KafkaArticle {
    static func sink() async throws {
        let sink = try EventSink.kafka(KafkaConfiguration(bootstrapServers: "localhost:9092"), topic: "app-events")
        let tracker = Tracker(source: "app://com.example.shop", identity: .memory(), sink: sink)

        tracker.track(EventDraft(type: "purchase", properties: ["plan": .string("year")]))
        await tracker.flush()
        let report = await tracker.shutdown()
        if !report.isComplete { print("\(report.unsent) events were not sent") }
    }

    static func producer() async throws -> KafkaConfiguration {
        let broker = try EmbeddedBroker()
        try broker.createTopic("greetings", partitions: 1)
        let configuration = KafkaConfiguration(bootstrapServers: broker.bootstrapServers)

        let producer = try Producer(configuration: configuration)
        let message = ProducerMessage(key: Array("en".utf8), value: Array("hello".utf8))
        let results = await producer.send([message], to: "greetings")
        print(try results[0].get().offset ?? -1)
        await producer.close(within: .seconds(10))
        return configuration
    }

    static func consumer(configuration: KafkaConfiguration) throws {
        // On a thread of its own: the calls block.
        let consumer = try Consumer(configuration: configuration, groupID: nil)
        let partition = TopicPartition(topic: "greetings", partition: 0)
        try consumer.assign([PartitionStart(partition, at: .earliest)])

        var hasEnded = false
        while !hasEnded {
            let poll = consumer.poll(timeout: .milliseconds(100))
            poll.records.forEach { record in
                print(record.offset, record.value.map { String(decoding: $0, as: UTF8.self) } ?? "–")
            }
            for case .endOfPartition in poll.events { hasEnded = true }
        }
        consumer.close()
    }

    static func security() -> KafkaConfiguration {
        var configuration = KafkaConfiguration(bootstrapServers: "kafka-1:9093")
        configuration["security.protocol"] = "sasl_ssl"
        return configuration
    }
}

@Suite struct SnippetTests {
    @Test func `the articles' funnels are valid`() throws {
        // They are not opened in a store, because the article's would stay in the folder of the tests.
        let funnels = [try FunnelsArticle.parts(), try FunnelsArticle.builder()]
        #expect(funnels.map(\.name) == ["paywall-to-purchase", "paywall-revenue"])
    }

    @Test func `the article's security is a property of librdkafka`() {
        #expect(KafkaArticle.security()["security.protocol"] == "sasl_ssl")
    }
}
