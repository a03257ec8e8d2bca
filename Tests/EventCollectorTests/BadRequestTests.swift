import Testing

@testable import EventCollector

/// Every bad request with its status and message.
@Suite(.timeLimit(.minutes(10))) struct BadRequestTests {
    struct Case: Sendable {
        var arguments: [String] = []
        var body = Array("[]".utf8)
        var type = "application/cloudevents-batch+json"
        var status: Int
        var detail: String
    }

    private static let cases: [Case] = [
        Case(arguments: ["-H", "Authorization:"], status: 401, detail: "Authorization: expected 'Bearer'"),
        Case(arguments: ["-X", "PUT"], status: 405, detail: "expected POST"),
        Case(
            type: "application/json",
            status: 415,
            detail: "Content-Type: expected application/cloudevents-batch+json"
        ),
        Case(type: "", status: 415, detail: "Content-Type: expected application/cloudevents-batch+json"),
        Case(
            type: "application/cloudevents-batch+json; charset=latin1",
            status: 415,
            detail: "Content-Type: expected charset=UTF-8"
        ),
        Case(
            arguments: ["-H", "ce-specversion: 1.0", "-H", "ce-id: 1"],
            type: "application/json",
            status: 415,
            detail: "binary mode is not taken: send the event in structured mode"
        ),
        Case(arguments: ["-H", "Content-Encoding: br"], status: 415, detail: "Content-Encoding: expected gzip"),
        Case(arguments: ["-H", "Content-Encoding: gzip"], status: 400, detail: "Content-Encoding: the body"),
        Case(body: [], status: 400, detail: "the body is not JSON: the body is empty"),
        Case(body: Array("[{]".utf8), status: 400, detail: "the body is not JSON: byte 2: expected"),
        Case(body: Array("[]]".utf8), status: 400, detail: "the body is not JSON: byte 2: expected the end"),
        Case(body: [0x5B, 0x22, 0xFF, 0x22, 0x5D], status: 400, detail: "the body is not JSON: byte 2: expected"),
        Case(body: Array("{}".utf8), status: 400, detail: "expected a JSON array of events"),
        Case(type: "application/cloudevents+json", status: 400, detail: "expected one event"),
        Case(body: Array("[1,2,3,4]".utf8), status: 413, detail: "more than 3 events in one batch"),
        Case(body: [UInt8](repeating: 0x20, count: 1001), status: 413, detail: "more than 1000 bytes"),
        Case(
            arguments: ["-H", "Transfer-Encoding: chunked"],
            body: [UInt8](repeating: 0x20, count: 1001),
            status: 413,
            detail: "more than 1000 bytes"
        ),
        Case(
            arguments: ["-H", "Content-Encoding: gzip"],
            body: gzip([UInt8](repeating: 0x20, count: 100_000)),
            status: 413,
            detail: "more than 2000 bytes after decompression"
        ),
    ]

    @Test func `each is answered with its status and what was expected`() async throws {
        try await RunningCollector.with { settings in
            settings.limits.bodySize = 1000
            settings.limits.decompressedSize = 2000
            settings.limits.batchCount = 3
        } _: { collector in
            for expected in Self.cases {
                // curl sends the last of two headers that are both given; an empty one takes it away.
                let answer =
                    expected.arguments.contains("Authorization:")
                    ? try await Answer(
                        curl: ["-H", "Content-Type: \(expected.type)", "--data-binary", "@-", collector.url],
                        input: expected.body
                    ) : try await collector.post(expected.body, type: expected.type, expected.arguments)
                #expect(answer.status == expected.status, "\(expected)")
                #expect(answer.body.contains("\"detail\":\"\(expected.detail)"), "\(expected): \(answer.body)")
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(answer.headers["edge-time"] != nil)
            }
            let unknown = try await collector.get("/v2/events")
            #expect(unknown.status == 404)
            #expect(unknown.body.contains("events are posted to /v1/events"))
            let wrongMethod = try await collector.get("/v1/events")
            #expect(wrongMethod.status == 405)
            #expect(wrongMethod.headers["allow"] == "POST")
            #expect(try collector.records().isEmpty)
        }
    }
}
