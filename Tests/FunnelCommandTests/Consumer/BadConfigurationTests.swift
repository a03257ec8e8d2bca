import FlowTestSupport
import Foundation
import Testing

/// Tests mistakes in the consumer's configuration. The consumer finds all of them before it connects to Kafka.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct BadConfigurationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write(Fixture.text("funnels.yaml"), to: "config/funnels.yaml")
    }

    private func consumer(_ arguments: String..., environment: [String: String] = [:]) async throws -> Command.Outcome {
        // No broker listens on this port, in case the consumer does connect.
        let environment = environment.merging(["KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:9"]) { mine, _ in mine }
        return try await Command("funnel-consumer", arguments, in: directory, environment: environment).end()
    }

    /// A funnels file with a mistake, the mistake's line, and words of the expected message.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let line: Int
        let words: String
        let yaml: String

        init(_ name: String, line: Int, _ words: String, _ yaml: String) {
            (testDescription, self.line, self.words, self.yaml) = (name, line, words, yaml)
        }

        /// A funnel whose only condition, in line 5, has this value.
        init(_ name: String, value: String, _ words: String) {
            self.init(
                name,
                line: 5,
                words,
                "funnels:\n- name: f\n  window: 1s\n  steps:\n  - {name: s, event: e, where: {screen: \(value)}}\n"
            )
        }
    }

    static let mistakes = [
        Mistake("an unknown key", line: 3, "unknown key 'windw'", "funnels:\n- name: f\n  windw: 1s\n"),
        Mistake("a missing key", line: 2, "the key 'window' is missing", "funnels:\n- {name: f, steps: []}\n"),
        Mistake(
            "a duplicate name of a funnel",
            line: 3,
            "there is a funnel named 'f' in line 2 already",
            "funnels:\n- {name: f, window: 1s, steps: [{name: s, event: e}]}\n"
                + "- {name: f, window: 1s, steps: [{name: s, event: e}]}\n"
        ),
        Mistake(
            "a duplicate name of a step",
            line: 2,
            "two steps named 's'",
            "funnels:\n- {name: f, window: 1s, steps: [{name: s, event: e}, {name: s, event: e}]}\n"
        ),
        Mistake("no steps", line: 2, "an empty list", "funnels:\n- {name: f, window: 1s, steps: []}\n"),
        Mistake(
            "a bad window",
            line: 3,
            "expected a duration such as 30m",
            "funnels:\n- name: f\n  window: 30\n  steps: [{name: s, event: e}]\n"
        ),
        Mistake("a null", value: "null", "found nothing (null)"),
        Mistake("a map", value: "{a: b}", "unknown operator 'a'"),
        Mistake("an empty list", value: "[]", "found an empty list"),
        Mistake("no YAML", line: 2, "not valid YAML", "funnels: [\n"),
    ]

    @Test(arguments: [
        (["--topic", ""], "expected up to 249 letters"), (["--topic", "a b"], "expected up to 249 letters"),
        (["--dead-letter-topic", ".."], "expected up to 249 letters"), (["--group-id", ""], "expected a name"),
        (["--bootstrap-servers", ",,"], "expected one or more brokers"),
        (["--metrics-port", "9464", "--metrics-host", "nohost"], "expected an IP address"),
    ])
    func `a flag that Kafka cannot take is told before anything starts`(flag: [String], words: String) async throws {
        let outcome = try await Command("funnel-consumer", flag, in: directory).end()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `a topic that Kafka cannot take is told with its file or its variable`() async throws {
        try directory.write("dead_letter_topic: a b\n", to: "mine/consumer.yaml")
        let outcome = try await consumer("--config", "mine/consumer.yaml")
        expect(outcome, 78, saying: "funnel-consumer: mine/consumer.yaml:1: dead_letter_topic: ", "found 'a b'")
        try directory.write("bootstrap_servers: ' , '\n", to: "mine/consumer.yaml")
        let brokers = try await consumer("--config", "mine/consumer.yaml")
        expect(brokers, 78, saying: "mine/consumer.yaml:1: bootstrap_servers: expected one or more brokers")
        let variable = try await consumer(environment: ["KAFKA_BOOTSTRAP_SERVERS": ","])
        expect(variable, 78, saying: "KAFKA_BOOTSTRAP_SERVERS: expected one or more brokers")
        let other = try await consumer(environment: ["KAFKA_TOPIC": "a/b"])
        expect(other, 78, saying: "funnel-consumer: KAFKA_TOPIC: ", "found 'a/b'")
    }

    @Test func `a host name for the metrics is told with its file or its variable`() async throws {
        try directory.write("metrics_port: 9464\nmetrics_host: nohost\n", to: "mine/consumer.yaml")
        let outcome = try await consumer("--config", "mine/consumer.yaml")
        expect(outcome, 78, saying: "mine/consumer.yaml:2: metrics_host: expected an IP address", "found 'nohost'")
        let variable = try await consumer(environment: ["METRICS_HOST": "nohost"])
        expect(variable, 78, saying: "METRICS_HOST: expected an IP address", "found 'nohost'")
    }

    @Test(arguments: mistakes)
    func `a mistake in the funnels file is told with file and line`(mistake: Mistake) async throws {
        try directory.write(mistake.yaml, to: "mine/funnels.yaml")
        let outcome = try await consumer("--funnels", "mine/funnels.yaml")
        expect(outcome, 78, saying: "funnel-consumer: mine/funnels.yaml:\(mistake.line): ", mistake.words)
    }

    @Test func `a funnels file that is not there`() async throws {
        expect(try await consumer("--funnels", "nowhere.yaml"), 78, saying: "nowhere.yaml", "--funnels")
    }

    @Test func `a mistake in consumer.yaml is told with file and line`() async throws {
        try directory.write("topic: app-events\ntopik: mine\n", to: "config/consumer.yaml")
        expect(try await consumer(), 78, saying: "config/consumer.yaml:2: ", "'topik'", "dead_letter_topic")
    }

    @Test func `a configuration file that was asked for and is not there`() async throws {
        expect(try await consumer("--config", "nowhere.yaml"), 78, saying: "nowhere.yaml", "--config")
    }

    @Test func `a property that librdkafka does not know, or does not take`() async throws {
        try directory.write("kafka: {no.such.property: 1}\n", to: "config/consumer.yaml")
        expect(try await consumer(), 78, saying: "config/consumer.yaml:1: ", "no.such.property")
        try directory.write("kafka:\n  client.id: c\n  session.timeout.ms: soon\n", to: "config/consumer.yaml")
        expect(try await consumer(), 78, saying: "config/consumer.yaml:3: ", "session.timeout.ms")
        expect(try await consumer("verify"), 78, saying: "config/consumer.yaml:3: ", "session.timeout.ms")
        // Each property is valid, but not both together.
        try directory.write(
            "kafka:\n  max.poll.interval.ms: 7000\n  session.timeout.ms: 8000\n",
            to: "config/consumer.yaml"
        )
        expect(try await consumer(), 78, saying: "config/consumer.yaml:2: ", "max.poll.interval.ms")
        try directory.write("kafka:\n  security.protocol: ssl\n  ssl.ca.location: no.pem\n", to: "config/consumer.yaml")
        for outcome in [try await consumer(), try await consumer("explain")] {
            expect(outcome, 78, saying: "config/consumer.yaml:2: ", "ssl.ca.location")
        }
    }

    @Test(arguments: [
        "kafka: {no.such.property: 1}", "kafka: {ssl.ca.location: 7, security.protocol: ssl}", "topik: t",
    ])
    func `a mistake leaves no store behind`(yaml: String) async throws {
        try directory.write(yaml + "\n", to: "config/consumer.yaml")
        expect(try await consumer("--store", "sqlite:mine.sqlite"), 78)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!files.contains { $0.contains("sqlite") }, "\(files)")
    }

    @Test func `a wrong level of the log is told, and the level is info`() async throws {
        let outcome = try await consumer("explain", environment: ["LOG_LEVEL": "loud"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let verify = try await consumer("verify", "--store", "sqlite:no.sqlite", environment: ["LOG_LEVEL": "loud"])
        #expect(verify.status == 66)
        #expect(verify.errors.contains("LOG_LEVEL: expected one of trace, debug, info"), "\(verify.errors)")
        #expect(verify.errors.contains("found 'loud'"), "\(verify.errors)")
    }

    @Test func `events and dead letters in one topic`() async throws {
        expect(try await consumer("--topic", "t", "--dead-letter-topic", "t"), 78, saying: "expected two topics")
    }

    @Test func `a store that is no URL, as a flag, a variable and in the file`() async throws {
        expect(try await consumer("--store", "funnels.sqlite"), 64, saying: "sqlite:PATH")
        expect(try await consumer(environment: ["STORE_URL": "mysql://x"]), 78, saying: "STORE_URL", "sqlite:PATH")
        try directory.write("\nstore: mine\n", to: "config/consumer.yaml")
        expect(try await consumer(), 78, saying: "config/consumer.yaml:2: ", "sqlite:PATH")
    }

    @Test(arguments: [["--no-such-flag"], ["--topic"], ["surplus"]])
    func `wrong flags are a matter of usage`(arguments: [String]) async throws {
        let outcome = try await Command("funnel-consumer", arguments, in: directory).end()
        expect(outcome, 64, saying: "Usage: funnel-consumer")
    }

    @Test func `help is what was asked for, on standard output`() async throws {
        let outcome = try await consumer("--help")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let flags = [
            "--config", "--funnels", "--store", "--bootstrap-servers", "--topic", "--dead-letter-topic", "--group-id",
            "--exit-at-end",
        ]
        for flag in flags { #expect(outcome.output.contains(flag)) }
    }
}
