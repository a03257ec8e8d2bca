import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Testing

/// Tests batches, retries, full queues, and the shutdown.
@Suite(.waits) struct TrackerDeliveryTests {
    private static let busy = SinkFailure(code: "busy", detail: "")
    private let clock = ManualClock()
    private let recorder = EventRecorder()

    private func tracker(
        sink: EventSink? = nil,
        batching: BatchingConfiguration = BatchingConfiguration(),
        identity: IdentityStore = .memory()
    ) -> Tracker {
        Tracker(
            source: "app://test",
            identity: identity,
            sink: sink ?? .recording(recorder),
            configuration: TrackerConfiguration(batching: batching),
            clock: clock,
            ids: .counting("id"),
            jitter: { 0.5 }
        )
    }

    @Test func `an event leaves when its age is reached, and an idle tracker has no timer`() async {
        let tracker = tracker()
        #expect(clock.sleeperCount == 0)
        tracker.track(EventDraft(type: "a"))
        await clock.hasSleeper(until: .seconds(10))
        clock.advance(by: .milliseconds(9999))
        #expect(recorder.batches.isEmpty)
        clock.advance(by: .milliseconds(1))
        #expect(await eventually { tracker.statistics.delivered == 1 })
        #expect(clock.sleeperCount == 0)
    }

    @Test func `what the sink cannot take now is sent again after the backoff, the same bytes`() async {
        let attempts = Box<[[EncodedEvent]]>([])
        let sink = EventSink(send: { batch in
            let isFirst = attempts.change { attempts in
                attempts.append(batch)
                return attempts.count == 1
            }
            return batch.map { _ in isFirst ? .retry(Self.busy) : .delivered }
        })
        let tracker = tracker(sink: sink)
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        #expect(tracker.statistics.queued == 1)
        await clock.hasSleeper(until: .milliseconds(500))
        clock.advance(by: .milliseconds(500))
        #expect(await eventually { tracker.statistics.delivered == 1 })
        #expect(attempts.current.count == 2 && attempts.current[0] == attempts.current[1])
    }

    @Test func `a full queue drops the oldest, counts them, and leaves their numbers out`() async throws {
        let isUp = Box(false)
        let recorder = EventRecorder { _ in isUp.current ? .delivered : .retry(Self.busy) }
        let tracker = tracker(sink: .recording(recorder), batching: BatchingConfiguration(maximumQueueCount: 10))
        for number in 0..<25 { tracker.track(EventDraft(type: "t\(number)")) }
        await tracker.flush()
        for number in 25..<30 { tracker.track(EventDraft(type: "t\(number)")) }
        isUp.current = true
        await tracker.flush()
        let events = try recorder.events
        #expect(events.map(\.type) == (20..<30).map { "t\($0)" })
        #expect(events.map(\.sequence) == (20..<30).map { Int64($0) })
        #expect(tracker.statistics.dropped == [.queueFull: 20])
        #expect(tracker.statistics.queued == 0)
    }

    @Test func `many batches are on their way at once, in the order of their calls`() async {
        let submitted = Box<[[String]]>([])
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let opened = Task { for await _ in gate {} }
        let sink = EventSink(maximumBatchesInFlight: 3) { batch in
            submitted.change { $0.append(batch.map(\.id)) }
            return EventReceipt {
                await opened.value
                return batch.map { _ in .delivered }
            }
        }
        let tracker = tracker(sink: sink, batching: BatchingConfiguration(maximumBatchCount: 2))
        for _ in 0..<10 { tracker.track(EventDraft(type: "a")) }
        #expect(await eventually { submitted.current.count == 3 })
        #expect(tracker.statistics.delivered == 0)
        opening.finish()
        await tracker.flush()
        #expect(submitted.current.allSatisfy { $0.count <= 2 })
        let numbers = submitted.current.joined().compactMap { Int($0.dropFirst(3)) }
        #expect(numbers.count == 10 && numbers == numbers.sorted())
    }

    @Test func `a shutdown delivers what is queued and refuses what follows`() async {
        let tracker = tracker()
        for _ in 0..<3 { tracker.track(EventDraft(type: "a")) }
        let report = await tracker.shutdown(deadline: .seconds(5))
        #expect(report.isComplete && report.statistics.delivered == 3)
        tracker.track(EventDraft(type: "late"))
        await tracker.flush()
        #expect(tracker.statistics.dropped == [.shutdown: 1])
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a shutdown goes on with the usual retries until its deadline`() async {
        let attempts = Box(0)
        let sink = EventSink(send: { batch in
            attempts.change { $0 += 1 }
            return batch.map { _ in .retry(Self.busy) }
        })
        let tracker = tracker(sink: sink)
        tracker.track(EventDraft(type: "a"))
        async let shutdown = tracker.shutdown(deadline: .seconds(2))
        await clock.hasSleeper(until: .milliseconds(500))
        clock.advance(by: .milliseconds(500))
        await clock.hasSleeper(until: .milliseconds(1500))
        clock.advance(by: .milliseconds(1500))
        let report = await shutdown
        #expect(report.unsent + report.unconfirmed == 1 && !report.isComplete)
        #expect(report.statistics.queued == 0)
        #expect(attempts.current >= 2)
    }

    @Test func `a sink that never answers cannot hold up a shutdown`() async {
        let sink = EventSink(maximumBatchesInFlight: 1) { _ in
            EventReceipt {
                let (stream, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in stream {}
                return []
            }
        }
        let tracker = tracker(sink: sink, batching: BatchingConfiguration(maximumBatchCount: 2))
        for _ in 0..<3 { tracker.track(EventDraft(type: "a")) }
        async let shutdown = tracker.shutdown(deadline: .seconds(2))
        await clock.hasSleeper(until: .seconds(2))
        #expect(await eventually { tracker.statistics.tracked == 3 })
        clock.advance(by: .seconds(2))
        let report = await shutdown
        #expect(report.unsent + report.unconfirmed == 3 && report.statistics.delivered == 0)
    }

    @Test func `every event of many threads is delivered once, with a number of its own, in order`() async throws {
        let tracker = tracker(batching: BatchingConfiguration(maximumBatchCount: 100, maximumQueueCount: 100_000))
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<1000 {
                        tracker.track(EventDraft(type: "t\(thread)", properties: ["n": .number(Double(number))]))
                    }
                }
            }
        }
        await tracker.flush()
        let events = try recorder.events
        #expect(events.map(\.sequence) == (0..<8000).map { Int64($0) })
        for thread in 0..<8 {
            let numbers = events.filter { $0.type == "t\(thread)" }.map { $0.properties["n"] }
            #expect(numbers == (0..<1000).map { .number(Double($0)) })
        }
        #expect(tracker.statistics.delivered == 8000 && tracker.statistics.queued == 0)
    }

    @Test func `thousands of trackers share one sink, each with its own install`() async throws {
        let trackers = (0..<2000).map { tracker(identity: .memory(Identity(installID: "i\($0)"))) }
        for tracker in trackers {
            tracker.track(EventDraft(type: "a"))
            tracker.track(EventDraft(type: "b"))
        }
        for tracker in trackers { await tracker.flush() }
        let byInstall = Dictionary(grouping: try recorder.events, by: \.installID)
        #expect(byInstall.count == 2000)
        #expect(byInstall.values.allSatisfy { $0.map(\.type) == ["a", "b"] && $0.map(\.sequence) == [0, 1] })
        #expect(await eventually { clock.sleeperCount == 0 })
    }
}
