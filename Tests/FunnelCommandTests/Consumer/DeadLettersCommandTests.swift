import FlowTestSupport
import Foundation
import RDKafka
import Testing

/// Tests the built `funnel-consumer dead-letters`.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct DeadLettersCommandTests {
    private let pipeline: Pipeline

    init() throws {
        pipeline = try Pipeline()
    }

    private func letters(_ arguments: String...) async throws -> Command.Outcome {
        try await Command(
            "funnel-consumer",
            ["dead-letters"] + arguments,
            in: pipeline.directory,
            environment: pipeline.environment
        ).end()
    }

    private func expect(_ outcome: Command.Outcome, prints text: String) {
        #expect(outcome.status == 0 && outcome.output == text, "\(outcome.output)\(outcome.errors)")
    }

    @Test func `the letters are counted, listed, shown, and sent back corrected`() async throws {
        try await pipeline.publish(["no JSON", "[]", "{}"].map { ProducerMessage(value: Array($0.utf8)) })
        try #require(try await pipeline.count().status == 0)
        expect(try await letters(), prints: "2  not_cloudevents\n1  not_json\n")

        let list = try await letters("--reason", "not_json")
        #expect(list.output.hasPrefix("0:0  from app-events 0:0  "), "\(list.output)\(list.errors)")
        #expect(list.output.filter { $0 == "\n" }.count == 1)
        let show = try await letters("--show", "0:0")
        #expect(
            show.output.contains("dlq.reason: not_json") && show.output.hasSuffix("\n\nno JSON\n"),
            "\(show.output)"
        )

        let event = """
            {"specversion":"1.0","id":"1","source":"app://test","type":"screen_view","time":"2026-03-02T00:00:00Z",\
            "data":{"install_id":"i","session_id":"s","screen":"home"}}
            """
        try pipeline.directory.write(event, to: "event.json")
        let sent = try await letters("--resend", "0:0", "--value", "event.json")
        #expect(sent.output == "sent to app-events, partition and offset 0:3\n", "\(sent.output)\(sent.errors)")
        try #require(try await pipeline.count().status == 0)
        #expect(try await pipeline.jsonReport().counts("home-to-paywall") == [1, 0])
    }

    @Test func `what is not there is told`() async throws {
        expect(try await letters(), prints: "no dead letters\n")
        expect(
            try await letters("--dead-letter-topic", "mistyped"),
            prints: "no dead letters: there is no topic mistyped; --dead-letter-topic names another\n"
        )
        try await pipeline.publish([ProducerMessage(value: Array("no JSON".utf8))])
        try #require(try await pipeline.count().status == 0)
        expect(
            try await letters("--reason", "not_jsn"),
            prints: "no dead letter has the reason not_jsn; the reasons in this topic are not_json\n"
        )
        FunnelCommandTests.expect(try await letters("--show", "0:7"), 64, saying: "app-events.dlq has no letter at 0:7")
        FunnelCommandTests.expect(try await letters("--show", "x"), 64, saying: "PARTITION:OFFSET", "such as 0:17")
        let missing = try await letters("--resend", "0:0", "--value", "nowhere.json")
        FunnelCommandTests.expect(missing, 64, saying: "--value: cannot read the file nowhere.json: No such")
    }
}
