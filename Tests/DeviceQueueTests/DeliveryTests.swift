import EventTracking
import EventTrackingTestKit
import DeviceQueue
import FlowEvents
import FlowTestSupport
import Foundation
import HTTPSink
import HTTPSinkTestSupport
import Testing

/// Tests when and how often events are sent.
@Suite(.waits, .timeLimit(.minutes(10))) struct DeliveryTests {
    private let folder: TemporaryDirectory
    private let collector: TestCollector

    init() throws {
        folder = try TemporaryDirectory()
        collector = try TestCollector()
    }

    private var http: EventSink { http(timeout: .seconds(10)) }

    private func http(timeout: Duration) -> EventSink {
        .http(HTTPSinkConfiguration(url: collector.url, writeKey: "wk_1", timeout: timeout))
    }

    @Test func `events arrive over HTTP, in batches by count, in order, and leave the queue`() async throws {
        let app = App(folder, sink: http, batching: BatchingConfiguration(maximumBatchCount: 100))
        await app.track(0..<1000)
        await app.tracker.flush()
        #expect(try collector.events.map(\.n) == (0..<1000).map(Optional.some))
        #expect(collector.bodies.allSatisfy { $0.count <= 100 })
        #expect(app.tracker.statistics.delivered == 1000 && app.tracker.statistics.queued == 0)
        #expect(try await deliverAll(folder).events.isEmpty)
    }

    @Test func `an event leaves when its age is reached`() async throws {
        let app = App(folder, sink: http)
        await app.track(0..<1)
        await app.clock.hasSleeper(until: .seconds(10))
        #expect(collector.bodies.isEmpty)
        app.clock.advance(by: .seconds(10))
        #expect(await eventually { app.tracker.statistics.delivered == 1 })
    }

    @Test func `only what was acknowledged leaves the queue`() async throws {
        let recorder = EventRecorder { event in
            (try? Event(json: event.value))?.n == 1 ? .retry(SinkFailure(code: "busy", detail: "")) : .delivered
        }
        let app = App(folder, sink: .recording(recorder))
        await app.track(0..<3)
        await app.tracker.flush()
        #expect(app.tracker.statistics.queued == 1)
        #expect(try await deliverAll(folder).events.map(\.n) == [1])
    }

    @Test func `a backoff grows with the failures of the run before, which a restart does not forget`() async throws {
        let time = Locked(Timestamp(milliseconds: 1_800_000_000_000))
        let batching = BatchingConfiguration(backoff: Backoff(base: .seconds(1), maximum: .seconds(1000)))
        let delays = Locked<[Duration]>([])
        for _ in 0..<4 {
            let app = App(folder, batching: batching, now: { time.withLock { $0 } })
            await app.track(0..<1)
            await app.tracker.flush()
            let isReported = await eventually {
                app.reports.withLock { reports in
                    for case .retrying(_, let delay, _) in reports { delays.withLock { $0.append(delay) } }
                    return !reports.isEmpty
                }
            }
            #expect(isReported)
            // The wait is saved after it is reported.
            await app.tracker.store()
            #expect(try await eventually { try await savedFailures() == delays.withLock { $0.count } })
            time.withLock { $0.milliseconds += 1_000_000 }
        }
        #expect(delays.withLock { $0 } == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
    }

    @Test func `Retry-After holds over a restart, also against a flush`() async throws {
        let time = Locked(Timestamp.now)
        collector.answerNext(.respond(503, headers: ["Retry-After": "600"]))
        let first = App(folder, sink: http, now: { time.withLock { $0 } })
        await first.track(0..<1)
        await first.tracker.flush()
        #expect(try await eventually { try await savedFailures() == 1 })
        let requests = collector.requests.count
        time.withLock { $0.milliseconds += 599_000 }
        let second = App(folder, sink: http, now: { time.withLock { $0 } })
        await second.tracker.store()
        await second.tracker.flush()
        #expect(collector.requests.count == requests)
        await second.clock.hasSleeper(until: .seconds(10))
        second.clock.advance(by: .seconds(11))
        #expect(await eventually { second.tracker.statistics.delivered == 1 })
        #expect(try await eventually { try await savedFailures() == 0 })
    }

    private func savedFailures() async throws -> Int {
        try await DatabaseReading.int(folder.queueFile, "SELECT failures FROM state")
    }

    @Test func `a write key that is not valid pauses, says so, and loses nothing`() async throws {
        collector.answerNext(.respond(401))
        let app = App(folder, sink: http)
        await app.track(0..<5)
        await app.tracker.flush()
        let codes = app.reports.withLock { reports in
            reports.compactMap { if case .paused(5, let failure) = $0 { failure.code } else { nil } }
        }
        #expect(codes == ["http_401"])
        let requests = collector.requests.count
        await app.track(5..<10)
        await app.tracker.flush()
        app.clock.advance(by: .seconds(86_400))
        await app.tracker.flush()
        #expect(collector.requests.count == requests && app.tracker.statistics.queued == 10)
        await app.tracker.resume()
        await app.tracker.flush()
        #expect(try collector.events.map(\.n) == (0..<10).map(Optional.some))
    }

    @Test func `a shutdown delivers until its deadline, and leaves the rest for the next run`() async throws {
        let app = App(folder)
        await app.track(0..<5)
        async let shutdown = app.tracker.shutdown(deadline: .seconds(2))
        await app.clock.hasSleeper(until: .seconds(2))
        app.clock.advance(by: .seconds(2))
        let report = await shutdown
        #expect(report.statistics.queued == 5 && report.statistics.droppedCount == 0)
        #expect(try await deliverAll(folder).events.count == 5)
        let quick = App(folder, sink: http)
        await quick.track(0..<5)
        #expect(await quick.tracker.shutdown(deadline: .seconds(90)).statistics.delivered == 5)
    }

    @Test func `after the end of a run nothing is sent any more, and the next run has all`() async throws {
        let (stream, answer) = AsyncStream.makeStream(of: Void.self)
        let submitted = Locked(0)
        let sink = EventSink(
            send: { events in
                submitted.withLock { $0 += events.count }
                return events.map { _ in .delivered }
            },
            clock: {
                for await _ in stream {}
                return .none
            }
        )
        let app = App(folder, sink: sink)
        await app.track(0..<5)
        async let shutdown = app.tracker.shutdown(deadline: .seconds(2))
        await app.clock.hasSleeper(until: .seconds(2))
        app.clock.advance(by: .seconds(2))
        #expect(await shutdown.statistics.queued == 5)
        // The clock's answer comes after the end, when the app may have shut the sink down.
        answer.finish()
        #expect(await app.tracker.store())
        #expect(try await deliverAll(folder).events.count == 5)
        #expect(submitted.withLock { $0 } == 0)
    }

    @Test func `the queue's bad luck with the network changes no count`() async throws {
        var random = SeededRandom(seed: 11)
        // On Linux, URLSession waits for the whole timeout after a reused connection was closed.
        let app = App(
            folder,
            sink: http(timeout: .seconds(1)),
            batching: BatchingConfiguration(maximumBatchCount: 20, backoff: Backoff(base: .zero))
        )
        for start in stride(from: 0, to: 400, by: 20) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: collector.answerNext(.respond(503))
            case 1: collector.answerNext(.cut, .cut)
            case 2: collector.answerNext(.respond(413))
            case 3: collector.answerNext(.respond(200, body: "<html>"))
            default: break
            }
            await app.track(start..<start + 20)
            await app.tracker.flush()
        }
        #expect(
            await eventually {
                await app.tracker.flush()
                return app.tracker.statistics.queued == 0
            }
        )
        #expect(try collector.events.compactMap(\.n).sorted() == Array(0..<400))
        #expect(app.tracker.statistics.delivered == 400)
    }
}
