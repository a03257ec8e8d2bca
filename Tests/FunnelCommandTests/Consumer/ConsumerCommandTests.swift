import FlowTestSupport
import Foundation
import RDKafka
import Testing

/// Tests the settings of `funnel-consumer` and its shutdown.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct ConsumerCommandTests {
    private let pipeline: Pipeline

    init() throws {
        pipeline = try Pipeline()
    }

    private func homes(_ count: Int, _ name: String = "i") -> [ProducerMessage] {
        (0..<count).map { index in
            let value = """
                {"specversion":"1.0","id":"\(index)","source":"app://test","type":"screen_view",\
                "time":"2026-03-02T00:00:00Z","data":{"install_id":"\(name)\(index)","screen":"home"}}
                """
            return ProducerMessage(key: Array("\(name)\(index)".utf8), value: Array(value.utf8))
        }
    }

    @Test func `a flag goes before a variable, and a variable before the file`() async throws {
        for (count, topic) in [(1, "file"), (2, "variable"), (3, "flag")] {
            try pipeline.broker.createTopic(topic, partitions: 1)
            try await pipeline.publish(homes(count), to: topic)
        }
        let servers = pipeline.broker.bootstrapServers
        try pipeline.directory.write(
            "bootstrap_servers: \(servers)\ntopic: file\nstore: sqlite:file.sqlite\n",
            to: "config/consumer.yaml"
        )
        let none = ["KAFKA_BOOTSTRAP_SERVERS": ""]
        let variables = [
            "KAFKA_BOOTSTRAP_SERVERS": servers, "KAFKA_TOPIC": "variable", "STORE_URL": "sqlite:variable.sqlite",
        ]
        // No broker is at this address: the setting with the higher precedence must win.
        try pipeline.directory.write("bootstrap_servers: 127.0.0.1:9\ntopic: nothing\n", to: "other.yaml")
        let outcomes = [
            try await pipeline.count(environment: none),
            try await pipeline.count("--config", "other.yaml", environment: variables),
            try await pipeline.count(
                "--topic",
                "flag",
                "--store",
                "sqlite:flag.sqlite",
                "--bootstrap-servers",
                servers,
                environment: variables.merging(["KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:9"]) { $1 }
            ),
        ]
        for outcome in outcomes { #expect(outcome.status == 0, "\(outcome.errors)") }
        for (count, store) in [(1, "file"), (2, "variable"), (3, "flag")] {
            let outcome = try await pipeline.report("--store", "sqlite:\(store).sqlite", "--format", "json")
            #expect(try Report(outcome.output).quality.events == count, "\(store)")
        }
        #expect(!FileManager.default.fileExists(atPath: pipeline.directory.file("funnels.sqlite")))
    }

    @Test func `the names of the funnels file and the topic of dead letters can be set`() async throws {
        try pipeline.broker.createTopic("letters", partitions: 1)
        try FileManager.default.moveItem(
            atPath: pipeline.directory.file("config/funnels.yaml"),
            toPath: pipeline.directory.file("mine.yaml")
        )
        try await pipeline.publish([ProducerMessage(value: Array("no event".utf8))])
        let environment = ["FUNNELS_PATH": "mine.yaml", "KAFKA_DEAD_LETTER_TOPIC": "letters"]
        let outcome = try await pipeline.count(environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await pipeline.deadLetters().isEmpty)
        #expect(try await pipeline.deadLetters(in: "letters").count == 1)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends the service with exit code 0 and all that was read committed`(signal: Int32) async throws {
        try pipeline.writeFastSettings()
        try await pipeline.publish(homes(1000, "a"))
        let consumer = try pipeline.consumer()
        try await consumer.says("assigned")
        try await until("the first events are counted") {
            try pipeline.countedEvents() == 1000
        }
        try await pipeline.publish(homes(1000, "b"))
        consumer.send(signal)
        let outcome = try await consumer.end(within: patience)
        #expect(outcome.status == 0 && !outcome.isKilled && outcome.output.isEmpty, "\(outcome.errors)")
        let stopped = try await pipeline.jsonReport()
        #expect(stopped.counts("home-to-paywall") == [stopped.quality.events, 0])
        #expect((1000...2000).contains(stopped.quality.events))

        #expect(try await pipeline.count().status == 0)
        let all = try await pipeline.jsonReport()
        #expect(all.counts("home-to-paywall") == [2000, 0])
        #expect(all.quality == Report.Quality(events: 2000, duplicates: 0, late: 0, dead_letters: 0))
    }
}
