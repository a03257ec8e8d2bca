import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import Testing

/// Tests ``Tracker/requestErasure()`` with events in memory.
@Suite(.timeLimit(.minutes(5))) struct ErasureTests {
    private let recorder = EventRecorder()
    private let busy = EventSink(send: { $0.map { _ in .retry(SinkFailure(code: "busy", detail: "")) } })
    private let folder: TemporaryDirectory
    private var path: String { folder.file("identity.json") }

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func launch(
        _ identity: IdentityStore? = nil,
        sink: EventSink? = nil,
        reports: Locked<[TrackerReport]>? = nil
    ) -> Tracker {
        Tracker(
            source: "app://test",
            identity: identity ?? .file(path: path),
            sink: sink ?? .recording(recorder),
            clock: ManualClock(),
            onReport: { report in reports?.withLock { $0.append(report) } }
        )
    }

    private func requests() throws -> [Event] {
        try recorder.events.filter { $0.type == ErasureRequest.eventType }
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.file("")) }

    @Test func `a request is sent for the old install, and what follows belongs to a new one`() async throws {
        let tracker = launch()
        tracker.identify(userID: "u-42")
        tracker.track(EventDraft(type: "before"))
        await tracker.flush()
        let old = try #require(await tracker.installID)
        try await tracker.requestErasure()
        tracker.track(EventDraft(type: "after"))
        await tracker.flush()
        let events = try recorder.events
        let (before, after) = (events.first { $0.type == "before" }, events.first { $0.type == "after" })
        let request = try #require(try requests().first)
        #expect(events.count == 3 && request.installID == old && before?.installID == old)
        #expect(request.userID == nil && request.sessionID == nil && request.sequence == nil)
        #expect(after?.installID != old && after?.sequence == 0 && after?.userID == nil)
        #expect(after?.sessionID != before?.sessionID)
        #expect(try files().allSatisfy { !$0.contains("erasure") })
    }

    @Test func `what waits to be sent is dropped, and counted as erased`() async throws {
        let tracker = launch(sink: busy)
        for _ in 0..<3 { tracker.track(EventDraft(type: "a")) }
        await tracker.flush()
        tracker.track(EventDraft(type: "b"))
        try await tracker.requestErasure()
        #expect(tracker.statistics.dropped == [.erased: 4] && tracker.statistics.queued == 0)
    }

    @Test func `a request survives being offline, a kill and an opt-out, and is sent by a launch that tracks nothing`()
        async throws
    {
        let first = launch(sink: busy)
        let old = try #require(await first.installID)
        try await first.requestErasure()
        await first.flush()
        try await first.optOut()
        let second = launch()
        while try requests().isEmpty { await second.flush() }
        #expect(try requests().map(\.installID) == [old])
        while try files().contains(where: { $0.contains("erasure") }) { await second.flush() }
        let third = launch()
        await third.flush()
        #expect(try requests().count == 1)
    }

    @Test func `a run that ended before it began the new install leaves the old one to nobody`() async throws {
        struct DiskFull: Error {}
        let (identity, isFull) = (Locked<Identity?>(Identity(installID: "old", nextSequence: 7)), Locked(true))
        var store = IdentityStore(
            load: { identity.withLock { $0 } },
            save: { new in
                if isFull.withLock({ $0 }) { throw DiskFull() }
                identity.withLock { $0 = new }
            }
        )
        store.erasures = .files(prefix: folder.file("request-"))
        let first = launch(store)
        await #expect(throws: DiskFull.self) { try await first.requestErasure() }
        first.track(EventDraft(type: "a"))
        await first.flush()
        // Neither the request, which would free the old id, nor an event is sent.
        #expect(recorder.batches.isEmpty)
        isFull.withLock { $0 = false }
        let second = launch(store)
        second.track(EventDraft(type: "b"))
        await second.flush()
        let events = try recorder.events
        #expect(events.filter { $0.installID == "old" }.map(\.type) == [ErasureRequest.eventType])
        #expect(events.first { $0.type == "b" }?.sequence == 0)
    }

    @Test func `a request that cannot be saved changes nothing`() async throws {
        struct DiskFull: Error {}
        var store = IdentityStore.memory()
        store.erasures = ErasureStorage(load: { [:] }, save: { _, _ in throw DiskFull() }, remove: { _ in })
        let tracker = launch(store)
        let id = await tracker.installID
        tracker.track(EventDraft(type: "a"))
        let error = await #expect(throws: ErasureRequestError.self) { try await tracker.requestErasure() }
        #expect(error?.code == .notSaved)
        await tracker.flush()
        #expect(try recorder.events.map(\.type) == ["a"])
        #expect(await tracker.installID == id)
    }

    @Test func `whoever has opted out is told that the install is not known any more`() async throws {
        let tracker = launch()
        try await tracker.optOut()
        let error = await #expect(throws: ErasureRequestError.self) { try await tracker.requestErasure() }
        #expect(error?.code == .optedOut)
        await tracker.flush()
        #expect(recorder.batches.isEmpty)
    }

    @Test func `whose install cannot be read is told so`() async throws {
        let unreadable = IdentityStoreError(.unreadable, path: "identity.json", detail: "locked")
        let store = IdentityStore(load: { throw unreadable }, save: { _ in Issue.record("it was saved") })
        let error = await #expect(throws: ErasureRequestError.self) { try await launch(store).requestErasure() }
        #expect(error?.code == .unreadable)
    }

    @Test func `a refused request is reported, and sent again by the next launch`() async throws {
        let refusing = EventSink(send: { $0.map { _ in .rejected(SinkFailure(code: "no", detail: "not now")) } })
        let reports = Locked<[TrackerReport]>([])
        let first = launch(sink: refusing, reports: reports)
        try await first.requestErasure()
        await first.flush()
        let refusals = reports.withLock { reports in
            reports.compactMap { if case .erasureRefused(let failure) = $0 { failure.code } else { nil } }
        }
        #expect(refusals == ["no"])
        let second = launch()
        while try requests().isEmpty { await second.flush() }
    }

    @Test func `a request has the time of the receiver, which refuses what is a day ahead of its own`() async throws {
        let now = Timestamp(milliseconds: 1_790_000_000_000)
        let clocked = EventSink(
            send: { [sink = EventSink.recording(recorder)] in await sink.submit($0).outcomes() },
            clock: { .reading(now) }
        )
        let tracker = launch(sink: clocked)
        try await tracker.requestErasure()
        await tracker.flush()
        #expect(try requests().map(\.time) == [now])
    }

    @Test func `events tracked while a request is made are dropped or the new install's`() async throws {
        for _ in 0..<20 {
            let tracker = launch(.memory())
            let old = await tracker.installID
            let tracking = Task.detached { for _ in 0..<500 { tracker.track(EventDraft(type: "meanwhile")) } }
            try await tracker.requestErasure()
            tracker.track(EventDraft(type: "after"))
            await tracking.value
            await tracker.flush()
            let new = await tracker.installID
            let events = try recorder.events.filter { $0.type != ErasureRequest.eventType }
            let later = events.filter { $0.installID == new }
            #expect(new != old && later.map { $0.sequence ?? -1 } == Array(0..<Int64(later.count)))
            #expect(later.contains { $0.type == "after" })
            #expect(!events.contains { $0.installID == old && $0.type == "after" })
            #expect(tracker.statistics.queued == 0 && tracker.statistics.tracked == 501)
        }
    }

    @Test func `a damaged identity goes with the id that it may hold`() async throws {
        try Data("scribble old-id".utf8).write(to: URL(fileURLWithPath: path))
        let tracker = launch()
        #expect(await tracker.installID != nil)
        #expect(try files().contains { $0.contains("damaged") })
        try await tracker.requestErasure()
        #expect(try !files().contains { $0.contains("damaged") })
    }
}
