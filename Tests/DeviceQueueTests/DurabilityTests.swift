import EventTracking
import EventTrackingTestKit
import DeviceQueue
import FlowEvents
import Foundation
import HTTPSinkTestSupport
import FlowProcessTestSupport
import FlowTestSupport
import Testing

/// Tests that stored events survive crashes.
@Suite(.waits, .timeLimit(.minutes(10))) struct DurabilityTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func `what counts as tracked is on the disk, in order, with its sequence`() async throws {
        let app = App(folder)
        await app.track(0..<5000)
        #expect(app.tracker.statistics.tracked == 5000)
        let (events, losses, _) = try await deliverAll(folder)
        let isInOrder = events.compactMap(\.n) == Array(0..<5000) && events.compactMap(\.sequence) == Array(0..<5000)
        #expect(isInOrder, "\(events.count) events")
        #expect(losses.isEmpty)
    }

    @Test func `install, sequence and session go on after a restart, and what was left is delivered`() async throws {
        for run in 0..<3 { await App(folder).track(run * 10..<run * 10 + 10) }
        let (events, _, tracker) = try await deliverAll(folder)
        #expect(events.map(\.n) == (0..<30).map(Optional.some))
        #expect(events.map(\.sequence) == (0..<30).map { Int64($0) })
        #expect(Set(events.map(\.installID)).count == 1)
        #expect(Set(events.map(\.sessionID)).count == 1 && events.first?.sessionID != nil)
        #expect(tracker.statistics.tracked == 30 && tracker.statistics.delivered == 30)
        #expect(tracker.statistics.queued == 0)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `an app killed again and again loses nothing that it tracked`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var promises = Promises()
        for _ in 0..<8 {
            let helper = try HelperProcess("device-queue-helper", folder.queue)
            for _ in 0..<Int.random(in: 1...4, using: &random) { promises.read(helper.nextOutput()) }
            // Kills the process at a random time on purpose, without waiting for a condition.
            usleep(UInt32.random(in: 0...4000, using: &random))
            promises.read(helper.kill())
        }
        let (events, losses, _) = try await deliverAll(folder)
        for (process, count) in promises.stored {
            let numbers = events.filter { $0.process == process }.compactMap(\.n)
            #expect(numbers == Array(1...max(1, numbers.count)), "seed \(seed)")
            #expect(numbers.count >= count, "seed \(seed)")
        }
        #expect(promises.total > 0)
        #expect(events.map(\.sequence) == events.indices.map { Int64($0) }, "seed \(seed)")
        #expect(Set(events.map(\.installID)).count == 1 && losses.isEmpty, "seed \(seed)")
    }

    @Test(arguments: [3, 4] as [UInt64])
    func `an app killed while it delivers sends everything, and a repetition is the same bytes`(seed: UInt64)
        async throws
    {
        let collector = try TestCollector()
        var random = SeededRandom(seed: seed)
        var promises = Promises()
        for _ in 0..<8 {
            if Bool.random(using: &random) { collector.answerNext(.respond(503), .cut) }
            let helper = try HelperProcess("device-queue-helper", folder.queue, "--url", collector.url.absoluteString)
            for _ in 0..<Int.random(in: 1...6, using: &random) { promises.read(helper.nextOutput()) }
            // At a random time, as above.
            usleep(UInt32.random(in: 0...30_000, using: &random))
            promises.read(helper.kill())
        }
        let last = try HelperProcess(
            "device-queue-helper",
            folder.queue,
            "--url",
            collector.url.absoluteString,
            "--events",
            "1"
        )
        // Not by their number: events that nobody promised arrive as well.
        #expect(try await eventually { try promises.missing(from: collector.events) == [:] }, "seed \(seed)")
        last.kill()
        let bytes = Dictionary(grouping: collector.bodies.joined()) { (try? Event(json: $0))?.id ?? "" }
        #expect(bytes.values.allSatisfy { Set($0).count == 1 }, "seed \(seed)")
        let events = try collector.events
        #expect(Set(events.map(\.sequence)).count == events.count, "seed \(seed)")
    }

    @Test func `an app and its extension share the install and its sequence`() async throws {
        let helpers = try (0..<2).map { _ in try HelperProcess("device-queue-helper", folder.queue, "--events", "2000")
        }
        for helper in helpers { #expect(try helper.finish().contains("done tracked=")) }
        let (events, _, _) = try await deliverAll(folder)
        #expect(events.map(\.sequence) == (0..<4000).map { Int64($0) })
        #expect(Set(events.map(\.installID)).count == 1)
        let byProcess = Dictionary(grouping: events, by: \.process)
        #expect(byProcess.count == 2)
        #expect(byProcess.values.allSatisfy { $0.map(\.n) == (1...2000).map(Optional.some) })
    }

    @Test func `what an extension has queued is delivered by the app that runs already`() async throws {
        let recorder = EventRecorder()
        let app = App(folder, sink: .recording(recorder))
        await app.track(0..<1)
        await app.tracker.flush()
        await App(folder).track(1..<4)
        await app.tracker.store()
        await app.tracker.flush()
        #expect(try recorder.events.map(\.n) == [0, 1, 2, 3])
    }

    @Test func `a crash between sending and acknowledging sends again, byte for byte`() async throws {
        let sent = Locked<[[EncodedEvent]]>([])
        let mute = EventSink(maximumBatchesInFlight: 1) { batch in
            sent.withLock { $0.append(batch) }
            return EventReceipt {
                let (stream, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in stream {}
                return []
            }
        }
        let first = App(folder, sink: mute, batching: BatchingConfiguration(maximumBatchCount: 3))
        await first.track(0..<3)
        #expect(await eventually { sent.withLock { $0.count } == 1 })
        let recorder = EventRecorder()
        let second = App(folder, sink: .recording(recorder))
        await second.tracker.store()
        await second.tracker.flush()
        #expect(recorder.batches == sent.withLock { $0 })
    }
}
