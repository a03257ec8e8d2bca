import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import GRDB
import HTTPSink
import HTTPSinkTestSupport
import Testing

@testable import DeviceQueue

/// Tests the limits of a queue, and that every drop is reported.
@Suite(.waits, .timeLimit(.minutes(10))) struct BoundsTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func `past its bytes the queue drops the oldest, and the counts go out as an event`() async throws {
        let configuration = DeviceQueueConfiguration(folder: folder.queue, maximumBytes: 100_000)
        let isUp = Locked(false)
        let recorder = EventRecorder { _ in
            isUp.withLock { $0 } ? .delivered : .retry(SinkFailure(code: "offline", detail: ""))
        }
        let app = App(folder, sink: .recording(recorder), configuration: configuration)
        for start in stride(from: 0, to: 1000, by: 100) {
            await app.track(start..<start + 100, text: String(repeating: "x", count: 100))
        }
        let dropped = try #require(app.tracker.statistics.dropped[.queueFull])
        #expect(dropped > 500 && app.tracker.statistics.droppedCount == dropped)
        isUp.withLock { $0 = true }
        for _ in 0..<2 {
            await app.tracker.flush()
            await app.tracker.store()
        }
        let events = try recorder.events
        let ticks = events.filter { $0.type == "tick" }
        #expect(ticks.map(\.n) == (dropped..<1000).map(Optional.some))
        #expect(ticks.reduce(0) { $0 + ((try? $1.encoded().count) ?? 0) } <= 100_000)
        #expect(losses(in: events) == ["queue_full": dropped])
        // Reported as an event of the tracker itself, which belongs to no session.
        let note = try #require(events.first { $0.type == "events_dropped" })
        #expect(note.sessionID == nil && note.sequence == 1000)
        #expect(app.tracker.statistics.queued == 0)
    }

    @Test func `a count that is dropped itself is counted on`() async throws {
        let configuration = DeviceQueueConfiguration(folder: folder.queue, maximumBytes: 20_000)
        let remaining = Locked(0)
        let recorder = EventRecorder { _ in
            remaining.withLock { left in
                left -= 1
                return left >= 0 ? .delivered : .retry(SinkFailure(code: "offline", detail: ""))
            }
        }
        let app = App(
            folder,
            sink: .recording(recorder),
            configuration: configuration,
            batching: BatchingConfiguration(maximumBatchCount: 1)
        )
        var tracked = 0
        for _ in 0..<20 {
            // One event is delivered, so that the counts become an event, which later events then push out.
            remaining.withLock { $0 = 1 }
            await app.track(tracked..<tracked + 100)
            tracked += 100
            await app.tracker.flush()
        }
        remaining.withLock { $0 = .max }
        for _ in 0..<4 {
            await app.tracker.flush()
            await app.tracker.store()
        }
        let events = try recorder.events
        let told = losses(in: events).values.reduce(0, +)
        let sequences = Set(events.compactMap(\.sequence))
        let last = try #require(sequences.max())
        #expect(told == Int(last) + 1 - sequences.count, "every gap in the sequence is told, notes included")
        #expect(app.tracker.statistics.dropped[.queueFull] == told && told > 1000)
    }

    @Test func `a count that is refused itself is counted on`() async throws {
        let refusesCounts = Locked(true)
        let recorder = EventRecorder { event in
            guard let event = try? Event(json: event.value) else { return .delivered }
            let isRefused = event.n == 3 || event.type == "events_dropped" && refusesCounts.withLock { $0 }
            return isRefused ? .rejected(SinkFailure(code: "future_time", detail: "")) : .delivered
        }
        let app = App(folder, sink: .recording(recorder))
        await app.track(0..<10)
        await app.tracker.flush()
        // Reports the rejected event, and is rejected too.
        await app.track(10..<20)
        await app.tracker.flush()
        refusesCounts.withLock { $0 = false }
        for number in 20..<22 {
            await app.track(number..<number + 1)
            await app.tracker.flush()
        }
        await app.tracker.store()
        await app.tracker.flush()
        let refused = try #require(app.tracker.statistics.dropped[.rejected(code: "future_time")])
        #expect(refused >= 2 && app.tracker.statistics.queued == 0)
        #expect(losses(in: try recorder.events) == ["rejected_future_time": refused])
    }

    @Test func `past its age an event is dropped, counted as expired`() async throws {
        let time = Locked(Timestamp(milliseconds: 1_800_000_000_000))
        let configuration = DeviceQueueConfiguration(folder: folder.queue, maximumAge: .seconds(60))
        let app = App(folder, configuration: configuration, now: { time.withLock { $0 } })
        await app.track(0..<10)
        time.withLock { $0.milliseconds += 60_000 }
        await app.track(10..<20)
        #expect(app.tracker.statistics.droppedCount == 0)
        time.withLock { $0.milliseconds += 1 }
        await app.track(20..<21)
        #expect(app.tracker.statistics.dropped == [.expired: 10])
        let (events, losses, _) = try await deliverAll(folder)
        #expect(events.map(\.n) == (10..<21).map(Optional.some) && losses == ["expired": 10])
    }

    @Test func `what one process has on its way is not dropped by another, and counts once`() async throws {
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let sent = Locked(0)
        let slow = EventSink(send: { batch in
            sent.withLock { $0 += batch.count }
            for await _ in answers { break }
            return batch.map { _ in .delivered }
        })
        let configuration = DeviceQueueConfiguration(folder: folder.queue, maximumBytes: 2000)
        let app = App(folder, sink: slow, configuration: configuration)
        await app.track(0..<3)
        async let delivery: Void = app.tracker.flush()
        #expect(await eventually { sent.withLock { $0 } == 3 })
        // It sends the same events without success, saves that it has none in flight, and fills the queue.
        let other = App(folder, configuration: configuration)
        await other.tracker.flush()
        await other.track(3..<40)
        #expect(other.tracker.statistics.droppedCount > 0)
        answer.yield()
        await delivery
        #expect(app.tracker.statistics.delivered == 3)
        let dropped = app.tracker.statistics.droppedCount + other.tracker.statistics.droppedCount
        let (events, losses, _) = try await deliverAll(folder)
        #expect(losses == ["queue_full": dropped])
        #expect(3 + dropped + events.count == 40)
    }

    @Test func `a queue of the first release goes on`() async throws {
        try FileManager.default.createDirectory(atPath: folder.queue, withIntermediateDirectories: true)
        let first = try DatabaseQueue(path: folder.queueFile)
        try await first.write { database in
            try database.execute(sql: DeviceSchema.steps[0])
            try database.execute(sql: "INSERT INTO state(only, install_id, next_sequence) VALUES (1, 'install', 7)")
            try database.execute(sql: "PRAGMA user_version = 1")
        }
        try first.close()
        let app = App(folder)
        await app.track(0..<2)
        #expect(app.troubles.isEmpty)
        let (events, _, _) = try await deliverAll(folder)
        #expect(events.map(\.installID) == ["install", "install"] && events.map(\.sequence) == [7, 8])
    }

    @Test func `a rejected event goes into quarantine alone, with its reason, and the rest goes on`() async throws {
        let recorder = EventRecorder { event in
            (try? Event(json: event.value))?.n == 3
                ? .rejected(SinkFailure(code: "future_time", detail: "time: too far ahead")) : .delivered
        }
        let app = App(folder, sink: .recording(recorder))
        await app.track(0..<10)
        await app.tracker.flush()
        let quarantined = try await app.queue.quarantined()
        #expect(quarantined.map(\.code) == ["future_time"])
        #expect(try quarantined.map { try Event(json: $0.value).n } == [3])
        #expect(app.tracker.statistics.dropped == [.rejected(code: "future_time"): 1])
        await app.tracker.store()
        await app.tracker.flush()
        let events = try recorder.events
        #expect(events.compactMap(\.n) == [0, 1, 2, 4, 5, 6, 7, 8, 9])
        #expect(losses(in: events) == ["rejected_future_time": 1])
    }

    @Test func `an event that is damaged in the file goes into quarantine, and holds back no other one`() async throws {
        await App(folder).track(0..<20)
        try await DatabaseReading.change(folder.queueFile, "UPDATE event SET value = substr(value, 1, 30) WHERE id = 8")
        let collector = try TestCollector()
        let edge = HTTPSinkConfiguration(url: collector.url, writeKey: "wk_1", timeout: .seconds(60))
        let app = App(folder, sink: .http(edge))
        await app.tracker.flush()
        #expect(try await app.queue.quarantined().map(\.code) == ["not_json"])
        #expect(app.tracker.statistics.dropped == [.rejected(code: "not_json"): 1])
        await app.tracker.store()
        await app.tracker.flush()
        let events = try collector.events
        #expect(events.compactMap(\.n) == (0..<20).filter { $0 != 7 })
        #expect(losses(in: events) == ["rejected_not_json": 1])
    }

    @Test func `the quarantine has a bound`() async throws {
        let configuration = DeviceQueueConfiguration(folder: folder.queue, maximumQuarantineCount: 5)
        let refusing = EventSink(send: { $0.map { _ in .rejected(SinkFailure(code: "no", detail: "")) } })
        let app = App(folder, sink: refusing, configuration: configuration)
        await app.track(0..<20)
        await app.tracker.flush()
        let kept = try await app.queue.quarantined().map { try Event(json: $0.value).n }
        #expect(kept == [15, 16, 17, 18, 19])
    }
}
