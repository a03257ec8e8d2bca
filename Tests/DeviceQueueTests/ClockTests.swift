import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import HTTPSink
import HTTPSinkTestSupport
import Testing

@testable import DeviceQueue

/// Tests a device whose clock is wrong.
@Suite(.waits, .timeLimit(.minutes(10))) struct ClockTests {
    private let folder: TemporaryDirectory
    private let collector: TestCollector
    private let hour: Int64 = 3_600_000
    // A busy machine may keep a request waiting for half a minute. The clocks are off by hours.
    private let tolerance: Int64 = 600_000

    init() throws {
        folder = try TemporaryDirectory()
        collector = try TestCollector()
    }

    private var http: EventSink {
        .http(HTTPSinkConfiguration(url: collector.url, writeKey: "wk_1", timeout: .seconds(60)))
    }

    @Test func `a clock that is off is put right before the first sending, and the device's reading stays`()
        async throws
    {
        collector.setClock(aheadBy: .seconds(-3600))
        let app = App(folder, sink: http)
        let anchor = Timestamp.now.milliseconds
        await app.track(0..<3)
        await app.tracker.flush()
        let events = try collector.events
        #expect(events.count == 3)
        for event in events {
            let deviceTime = try #require(event.deviceTime)
            #expect(abs(deviceTime.milliseconds - anchor) < tolerance)
            #expect(abs(deviceTime.milliseconds - event.time.milliseconds - hour) < tolerance)
        }
        // One offset for the run.
        let offsets = zip(events, events.compactMap(\.deviceTime)).map { $0.time.milliseconds - $1.milliseconds }
        #expect(Set(offsets).count == 1)
    }

    @Test func `after an opt-out and an opt-in the clock is put right again`() async throws {
        collector.setClock(aheadBy: .seconds(-3600))
        let app = App(folder, sink: http)
        await app.track(0..<1)
        await app.tracker.flush()
        try await app.tracker.optOut()
        try await app.tracker.optIn()
        await app.track(1..<2)
        await app.tracker.flush()
        let events = try collector.events
        #expect(events.count == 2 && events.allSatisfy { $0.deviceTime != nil })
    }

    @Test func `another process that begins to send takes no offset of a run that goes on`() async throws {
        collector.setClock(aheadBy: .seconds(-3600))
        let app = App(folder, sink: http)
        await app.track(0..<1)
        await app.tracker.flush()
        let other = App(folder, sink: http)
        await other.track(1..<2)
        await other.tracker.flush()
        await app.track(2..<3)
        await app.tracker.flush()
        let events = try collector.events
        #expect(events.count == 3 && events.allSatisfy { $0.deviceTime != nil })
    }

    @Test func `a clock that is right changes nothing`() async throws {
        let app = App(folder, sink: http, now: { .now })
        await app.track(0..<3)
        await app.tracker.flush()
        #expect(try collector.events.allSatisfy { $0.deviceTime == nil })
    }

    @Test func `one offset is fixed for a run, whatever the edge's clock shows later`() async throws {
        collector.setClock(aheadBy: .seconds(7200))
        let app = App(folder, sink: http)
        await app.track(0..<3)
        await app.tracker.flush()
        collector.setClock(aheadBy: .seconds(-9999))
        await app.track(3..<6)
        await app.tracker.flush()
        let offsets = try collector.events.map { event in
            event.time.milliseconds - (try #require(event.deviceTime)).milliseconds
        }
        #expect(offsets.count == 6 && Set(offsets).count == 1)
        #expect(abs(try #require(offsets.first) - 2 * hour) < tolerance)
    }

    @Test func `the offset of a run is kept for what the next run sends of it, and is not that of the next run`()
        async throws
    {
        collector.setClock(aheadBy: .seconds(7200))
        let first = App(folder, sink: http, batching: BatchingConfiguration(maximumBatchCount: 1))
        await first.track(0..<1)
        await first.tracker.flush()
        try #require(first.tracker.statistics.delivered == 1)
        collector.answerNext(.respond(503, headers: ["Retry-After": "0"]))
        await first.track(1..<3)
        await first.tracker.flush()
        collector.setClock(aheadBy: .zero)
        let second = App(folder, sink: http, now: { .now })
        await second.track(3..<4)
        #expect(
            try await eventually {
                await second.tracker.flush()
                return try collector.events.count == 4
            }
        )
        let corrected = try collector.events.filter { $0.deviceTime != nil }.compactMap(\.n)
        #expect(Set(corrected) == [0, 1, 2])
        let bytes = Dictionary(grouping: collector.bodies.joined()) { (try? Event(json: $0))?.id }
        #expect(bytes.values.allSatisfy { Set($0).count == 1 }, "a resend is byte for byte the same")
        #expect(bytes.values.contains { $0.count > 1 })
    }

    @Test func `what was sent before its run had an offset never gets one`() async throws {
        // The sink of the first run has no clock and never responds. The second one's clock differs.
        let sent = Locked<[EncodedEvent]>([])
        let mute = EventSink(send: { batch in
            sent.withLock { $0 += batch }
            return batch.map { _ in .retry(SinkFailure(code: "timeout", detail: "")) }
        })
        let first = App(folder, sink: mute)
        await first.track(0..<3)
        await first.tracker.flush()
        collector.setClock(aheadBy: .seconds(7200))
        let second = App(folder, sink: http, now: { .now })
        await second.tracker.store()
        await second.tracker.flush()
        #expect(collector.accepted == sent.withLock { $0.map(\.value) })
    }

    @Test func `while the edge cannot be asked for its clock nothing is sent`() async throws {
        collector.answerNext(.respond(503), .respond(503))
        let app = App(folder, sink: http)
        await app.track(0..<3)
        await app.tracker.flush()
        #expect(collector.bodies.isEmpty && app.tracker.statistics.queued == 3)
        await app.tracker.flush()
        await app.tracker.flush()
        #expect(try collector.events.count == 3)
    }

    @Test(arguments: [
        (reading: 10_000, asked: 10_000, answered: 10_100, offset: 0),
        (reading: 13_050, asked: 10_000, answered: 10_100, offset: 0),
        (reading: 13_101, asked: 10_000, answered: 10_100, offset: 3051),
        (reading: 0, asked: 10_000, answered: 10_000, offset: -10_000),
        // A slow response makes the measurement less exact.
        (reading: 17_000, asked: 10_000, answered: 18_000, offset: 0),
        (reading: 30_000, asked: 10_000, answered: 18_000, offset: 16_000),
    ])
    func `the offset is from the middle, and only what cannot be chance`(
        reading: Int,
        asked: Int,
        answered: Int,
        offset: Int
    ) {
        func moment(_ milliseconds: Int) -> Timestamp { Timestamp(milliseconds: Int64(milliseconds)) }
        let found = ClockOffset.milliseconds(
            reading: moment(reading),
            asked: moment(asked),
            answered: moment(answered),
            tolerance: .seconds(3)
        )
        #expect(found == Int64(offset))
    }
}
