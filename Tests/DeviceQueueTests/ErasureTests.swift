import DeviceQueue
import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import Testing

/// Tests `Tracker.requestErasure()` with a queue on the device.
@Suite(.waits, .timeLimit(.minutes(10))) struct ErasureTests {
    private let folder: TemporaryDirectory
    private let recorder = EventRecorder()

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func requests() throws -> [Event] {
        try recorder.events.filter { $0.type == ErasureRequest.eventType }
    }

    @Test func `queue, log, quarantine and damaged files are empty, and only the request holds the old id`()
        async throws
    {
        let app = try await folder.leaveNeedles()
        let id = try #require(await app.tracker.installID)
        try await app.tracker.requestErasure()
        #expect(try !folder.queueHolds("needle"))
        #expect(try await app.queue.quarantined().isEmpty)
        #expect(app.tracker.statistics.dropped[.erased] ?? 0 >= 500 && app.tracker.statistics.queued == 0)
        #expect(try folder.queueHolds(id))
        let next = App(folder, sink: .recording(recorder))
        while try requests().isEmpty { await next.tracker.flush() }
        #expect(try requests().map(\.installID) == [id])
        while try folder.queueHolds(id) { await next.tracker.flush() }
    }

    @Test func `the new install begins at 0, in a session of its own, without losses of the old one`() async throws {
        let app = App(folder)
        app.tracker.identify(userID: "u-42")
        await app.track(0..<3)
        try await app.tracker.requestErasure()
        await app.track(3..<5)
        let (events, losses, _) = try await deliverAll(folder)
        let ticks = events.filter { $0.type == "tick" }
        #expect(ticks.map(\.n) == [3, 4] && ticks.map(\.sequence) == [0, 1] && ticks.allSatisfy { $0.userID == nil })
        #expect(losses.isEmpty)
    }

    @Test func `a request survives a full queue, an opt-out that follows, and damage`() async throws {
        let app = App(folder, configuration: DeviceQueueConfiguration(folder: folder.queue, maximumBytes: 4096))
        let id = try #require(await app.tracker.installID)
        try await app.tracker.requestErasure()
        await app.track(0..<200, text: "fills the queue")
        try await app.tracker.optOut()
        await app.queue.close()
        try Data("scribble".utf8).write(to: URL(fileURLWithPath: folder.queueFile))
        let next = App(folder, sink: .recording(recorder))
        while try requests().isEmpty { await next.tracker.flush() }
        #expect(try recorder.events.map(\.installID) == [id])
    }

    @Test func `while the file is locked the request is kept, and no event gets the old id`() async throws {
        let app = App(folder, sink: .recording(recorder))
        let id = try #require(await app.tracker.installID)
        let lock = try DatabaseLock(folder.queueFile)
        await #expect(throws: DeviceQueueError.self) { try await app.tracker.requestErasure() }
        await app.track(0..<1)
        #expect(recorder.batches.isEmpty)
        try lock.release()
        let next = App(folder, sink: .recording(recorder))
        await next.track(1..<2)
        while try requests().isEmpty { await next.tracker.flush() }
        await next.tracker.flush()
        let events = try recorder.events
        #expect(events.filter { $0.installID == id }.map(\.type) == [ErasureRequest.eventType])
        #expect(events.contains { $0.type == "tick" })
    }

    @Test func `remembered purchases are forgotten`() async throws {
        let app = App(folder)
        _ = await app.tracker.purchases.begin(PaywallReference(presentationID: "needle-1", source: "home"))
        #expect(try folder.queueHolds("needle-1"))
        try await app.tracker.requestErasure()
        #expect(try !folder.queueHolds("needle-1"))
    }
}
