import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import HTTPSinkTestSupport
import Testing

@testable import HTTPSink

@Suite(.waits, .timeLimit(.minutes(10))) struct HTTPSinkTests {
    private let collector: TestCollector
    private let sink: EventSink

    init() throws {
        collector = try TestCollector()
        sink = .http(HTTPSinkConfiguration(url: collector.url, writeKey: "wk_1", timeout: .seconds(60)))
    }

    private func events(_ count: Int, size: Int = 20) throws -> [EncodedEvent] {
        try (0..<count).map { number in
            let event = Event(
                id: "e\(number)",
                source: "app://test",
                type: "a",
                time: Timestamp(milliseconds: Int64(number)),
                installID: "install",
                properties: ["text": .string(String(repeating: "ü\"\\,", count: size / 4))]
            )
            return EncodedEvent(id: event.id, key: "install", value: try event.encoded())
        }
    }

    private func send(_ events: [EncodedEvent]) async -> [EventOutcome] {
        await sink.submit(events).outcomes()
    }

    @Test func `a batch is one compressed CloudEvents request with the write key, and its events are unchanged`()
        async throws
    {
        let events = try events(3)
        #expect(await send(events) == [.delivered, .delivered, .delivered])
        #expect(collector.accepted == events.map(\.value))
        let request = try #require(collector.requests.first)
        #expect(request.method == "POST" && request.path == "/v1/events")
        #expect(request.headers["content-type"]?.hasPrefix("application/cloudevents-batch+json") == true)
        #expect(request.headers["content-encoding"] == "gzip")
        #expect(request.headers["authorization"] == "Bearer wk_1")
        #expect(request.headers["cookie"] == nil)
    }

    @Test func `compression makes a batch several times smaller`() async throws {
        let events = try events(500, size: 200)
        #expect(await send(events).allSatisfy { $0 == .delivered })
        let request = try #require(collector.requests.first)
        let sent = try #require(request.headers["content-length"].flatMap(Int.init))
        #expect(sent * 5 < request.body.count)
    }

    @Test func `a rejected event is rejected alone, with the reason`() async throws {
        collector.reject { $0.id == "e1" ? "future_time" : nil }
        let outcomes = await send(try events(3))
        #expect(outcomes[0] == .delivered && outcomes[2] == .delivered)
        #expect(outcomes[1] == .rejected(SinkFailure(code: "future_time", detail: "a rule")))
    }

    @Test func `413 splits the batch until it fits, in order, and rejects what is too large alone`() async throws {
        // The batch, its first half, its first quarter and its first event are too large. The rest fits.
        let tooLarge = HTTPTestServer.Reply.respond(413)
        collector.answerNext(tooLarge, tooLarge, tooLarge, tooLarge)
        let events = try events(8)
        let outcomes = await send(events)
        guard case .rejected(let failure) = outcomes[0] else {
            Issue.record("expected a rejection, got \(outcomes[0])")
            return
        }
        #expect(failure.code == "too_large")
        #expect(outcomes.dropFirst().allSatisfy { $0 == .delivered })
        #expect(collector.accepted == events.dropFirst().map(\.value))
    }

    // Damaged as the memory of a device does it: cut off, emptied, or with other bytes.
    @Test(arguments: ["{", "", "1,2", "{\"a\":\"\u{1}\"}"])
    func `400 splits the batch until the damaged event is found, which is rejected alone`(value: String) async throws {
        var events = try events(8)
        events[3] = EncodedEvent(id: "e3", key: "install", value: Array(value.utf8))
        let outcomes = await send(events)
        guard case .rejected(let failure) = outcomes[3] else {
            Issue.record("expected a rejection, got \(outcomes[3])")
            return
        }
        #expect(failure.code == "not_json")
        #expect(outcomes.enumerated().allSatisfy { $0.offset == 3 || $0.element == .delivered })
        #expect(try collector.events.map(\.id) == events.map(\.id).filter { $0 != "e3" })
    }

    @Test func `where the collector cannot read an empty batch either, no event is at fault`() async throws {
        let unreadable = HTTPTestServer.Reply.respond(400, headers: ["Edge-Time": "2026-11-20T10:15:30.123Z"])
        collector.answerNext(unreadable, unreadable)
        let outcomes = await send(try events(1))
        #expect(outcomes.allSatisfy { if case .retry = $0 { true } else { false } })
        #expect(collector.requests.map(\.body).last == Array("[]".utf8))
        #expect(collector.requests.last?.headers["content-encoding"] == "gzip")
    }

    @Test func `a half that meets a closed door leaves the other half unsent`() async throws {
        collector.answerNext(.respond(413), .respond(503, headers: ["Retry-After": "7"]))
        let outcomes = await send(try events(4))
        #expect(outcomes.allSatisfy { if case .retry(_, .seconds(7)) = $0 { true } else { false } })
        #expect(collector.requests.count == 2)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 400, 404, 415, 301, 302])
    func `every other answer may pass, and its Retry-After is heard`(status: Int) async throws {
        collector.answerNext(
            .respond(status, headers: ["Retry-After": "17", "Location": "http://127.0.0.1:1/elsewhere"])
        )
        let failure = SinkFailure(code: "http_\(status)", detail: "the collector answered \(status)")
        let retry = EventOutcome.retry(failure, after: .seconds(17))
        #expect(await send(try events(2)) == [retry, retry])
        #expect(collector.requests.count == 1)
    }

    @Test func `a write key that is not valid pauses`() async throws {
        collector.answerNext(.respond(401))
        let outcomes = await send(try events(1))
        #expect(outcomes == [.pause(SinkFailure(code: "http_401", detail: "the collector answered 401"))])
    }

    @Test func `a proxy that forbids one request does not stop the tracker`() async throws {
        collector.answerNext(.respond(403))
        let outcomes = await send(try events(1))
        #expect(outcomes == [.retry(SinkFailure(code: "http_403", detail: "the collector answered 403"))])
    }

    @Test func `a login page, too few results and unknown words are not taken for an acceptance`() async throws {
        collector.answerNext(
            .respond(200, body: "<html>Welcome to our hotel</html>"),
            .respond(200, body: #"{"results":[{"id":"e0","status":"accepted"}]}"#),
            .respond(200, body: #"{"results":[{"id":"e0","status":"accepted"},{"id":"e1","status":"parked"}]}"#)
        )
        let events = try events(2)
        for expected in [[false, false], [false, false], [true, false]] {
            let outcomes = await send(events)
            #expect(outcomes.map { $0 == .delivered } == expected)
            #expect(outcomes.allSatisfy { if case .rejected = $0 { false } else { true } })
        }
    }

    @Test func `results of other events, or in another order, are not taken for these events' results`() async throws {
        let body = #"{"results":[{"id":"e1","status":"accepted"},{"id":"e0","status":"accepted"}]}"#
        collector.answerNext(.respond(200, body: body))
        let events = try events(2)
        #expect(await send(events).allSatisfy { if case .retry = $0 { true } else { false } })
        #expect(await send(events) == [.delivered, .delivered])
    }

    @Test func `after the end a batch fails as one that can be sent again, also between two halves`() async throws {
        let url = collector.url
        let sink = EventSink.http(HTTPSinkConfiguration(url: url, writeKey: "wk_1", timeout: .seconds(60)))
        let events = try events(4)
        #expect(await sink.submit(events).outcomes() == [.delivered, .delivered, .delivered, .delivered])
        await sink.shutdown()
        await sink.shutdown()
        let closed = SinkFailure(code: "closed", detail: "the sink was shut down before the request")
        #expect(await sink.submit(events).outcomes() == events.map { _ in .retry(closed) })
        #expect(await sink.clock() == .unavailable(.retry(closed)))
        // The sink ends while a batch is sent in halves.
        for _ in 0..<20 {
            let sink = EventSink.http(HTTPSinkConfiguration(url: url, writeKey: "wk_1", timeout: .seconds(60)))
            collector.answerNext(.respond(413))
            async let outcomes = sink.submit(events).outcomes()
            await sink.shutdown()
            for outcome in await outcomes {
                guard case .retry(let failure, _) = outcome else { continue }
                #expect(failure == closed)
            }
            _ = await self.sink.submit(events).outcomes()
        }
    }

    @Test func `a cut connection and a server that is gone may pass`() async throws {
        let events = try events(1)
        // URLSession may repeat a request by itself after the connection was closed.
        collector.answerNext(.cut, .cut, .cut, .cut)
        let cut = await send(events)
        #expect(cut.allSatisfy { if case .retry = $0 { true } else { false } })
        let url = try #require(URL(string: "http://127.0.0.1:1/v1/events"))
        let gone = await EventSink.http(HTTPSinkConfiguration(url: url, writeKey: "k")).submit(events).outcomes()
        #expect(gone.allSatisfy { if case .retry = $0 { true } else { false } })
    }

    @Test func `the clock is the one of the answer to an empty batch`() async throws {
        collector.setClock(aheadBy: .seconds(-3600))
        let before = Timestamp.now
        guard case .reading(let reading) = await sink.clock() else {
            Issue.record("expected a reading")
            return
        }
        let ahead = reading.milliseconds - before.milliseconds + 3_600_000
        #expect((0...10_000).contains(ahead))
        #expect(collector.requests.first?.body == Array("[]".utf8))
    }

    @Test func `a clock without milliseconds is read from Date, and none is no clock`() async {
        collector.answerNext(
            .respond(200, headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"], body: #"{"results":[]}"#),
            .respond(200, body: #"{"results":[]}"#),
            .respond(503, headers: ["Retry-After": "3"]),
            .respond(413),
            .respond(401)
        )
        #expect(await sink.clock() == .reading(Timestamp(milliseconds: 784_111_777_000)))
        #expect(await sink.clock() == SinkClock.none)
        let failure = SinkFailure(code: "http_503", detail: "the collector answered 503")
        #expect(await sink.clock() == .unavailable(.retry(failure, after: .seconds(3))))
        // A proxy that refuses even an empty batch is not the fault of any event.
        let tooLarge = SinkFailure(code: "too_large", detail: "the collector does not accept a body of this size")
        #expect(await sink.clock() == .unavailable(.retry(tooLarge)))
        let unauthorized = SinkFailure(code: "http_401", detail: "the collector answered 401")
        #expect(await sink.clock() == .unavailable(.pause(unauthorized)))
    }

    @Test func `the write key is asked for with every request`() async throws {
        let keys = Locked(["old", "new"])
        let sink = EventSink.http(
            HTTPSinkConfiguration(url: collector.url, writeKey: { keys.withLock { $0.removeFirst() } })
        )
        for _ in 0..<2 { _ = await sink.submit(try events(1)).outcomes() }
        #expect(collector.requests.map { $0.headers["authorization"] } == ["Bearer old", "Bearer new"])
    }
}
