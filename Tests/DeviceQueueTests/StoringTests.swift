import DeviceQueue
import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import Testing

/// `store()` says `true` only of events that survive the end of the process.
@Suite struct StoringTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// What another launch finds, after this one was killed.
    private func found() async throws -> [Event] {
        let recorder = EventRecorder()
        let app = App(folder, sink: .recording(recorder))
        await app.tracker.flush()
        return try recorder.events
    }

    @Test func `a queue whose folder was removed is made again, with the same install, and that is reported`()
        async throws
    {
        let app = App(folder)
        await app.track(1...2, type: "before")
        let install = await app.tracker.installID
        try FileManager.default.removeItem(atPath: folder.queue)
        app.tracker.track(EventDraft(type: "after"))
        #expect(await app.tracker.store())
        #expect(app.troubles.map(\.code) == [.damaged])
        #expect(app.tracker.statistics.dropped == [.damaged: 2])
        #expect(await app.tracker.installID == install)
        let events = try await found()
        #expect(events.map(\.type).contains("after") && events.allSatisfy { $0.installID == install })
        // The numbers of the lost ones are not used again.
        #expect(events.first { $0.type == "after" }?.sequence == 2)
    }

    @Test func `a folder that cannot be made again gives false, which is reported`() async throws {
        let app = App(folder)
        await app.track(1...1)
        try FileManager.default.removeItem(atPath: folder.queue)
        // A file in its place, because the super-user may write into any folder.
        try Data().write(to: URL(fileURLWithPath: folder.queue))
        app.tracker.track(EventDraft(type: "after"))
        #expect(await app.tracker.store() == false)
        #expect(!app.troubles.isEmpty)
    }

    @Test func `after the folder is there again, what has waited is stored`() async throws {
        let app = App(folder)
        await app.track(1...1)
        try FileManager.default.removeItem(atPath: folder.queue)
        try Data().write(to: URL(fileURLWithPath: folder.queue))
        app.tracker.track(EventDraft(type: "after"))
        #expect(await app.tracker.store() == false)
        try FileManager.default.removeItem(atPath: folder.queue)
        #expect(await app.tracker.store())
        #expect(try await found().map(\.type).contains("after"))
    }

    @Test func `without a queue on the device, only what is delivered is stored`() async throws {
        let isOnline = Locked(false)
        let sink = EventSink(send: { batch in
            batch.map { _ in
                isOnline.withLock { $0 } ? .delivered : .retry(SinkFailure(code: "offline", detail: "no network"))
            }
        })
        let tracker = Tracker(source: "app://test", identity: .memory(), sink: sink)
        #expect(await tracker.store())
        tracker.track(EventDraft(type: "a"))
        #expect(await tracker.store() == false)
        isOnline.withLock { $0 = true }
        await tracker.flush()
        #expect(await tracker.store())
    }

    @Test func `the user is there in the next launch`() async throws {
        let first = App(folder)
        first.tracker.track(EventDraft(type: "a"))
        first.tracker.identify(userID: "u1")
        await first.tracker.store()
        let second = App(folder)
        second.tracker.track(EventDraft(type: "b"))
        await second.tracker.store()
        #expect(try await found().map(\.userID) == [nil, "u1"])
    }

    @Test func `a number that JSON cannot carry is left out and reported, and the event stays`() async throws {
        let app = App(folder)
        app.tracker.track(EventDraft(type: "a", properties: ["ratio": .number(Double.nan), "n": 1]))
        #expect(await app.tracker.store())
        #expect(try await found().map(\.properties) == [["n": 1]])
        let fields = app.reports.withLock { reports in
            reports.compactMap { if case .omitted(let omission) = $0 { omission.field } else { nil } }
        }
        #expect(fields == ["properties.ratio"])
    }

    @Test func `a launch after a clock that was ahead begins a session`() async throws {
        let future = Timestamp(milliseconds: Timestamp.now.milliseconds + 365 * 86_400_000)
        let first = App(folder, now: { future })
        await first.track(1...1)
        let second = App(folder)
        await second.track(2...2)
        #expect(Set(try await found().map(\.sessionID)).count == 2)
    }
}

/// Consent with a queue on the device.
@Suite struct DeviceConsentTests {
    private let folder: TemporaryDirectory
    private let recorder = EventRecorder()

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func launch() -> Tracker {
        Tracker(
            source: "app://test",
            queue: DeviceQueue(DeviceQueueConfiguration(folder: folder.queue)),
            sink: .recording(recorder),
            configuration: TrackerConfiguration(asksForConsent: true),
            clock: ManualClock()
        )
    }

    @Test func `events are kept over launches, and sent when the user agrees`() async throws {
        let first = launch()
        first.track(EventDraft(type: "a"))
        #expect(await first.store())
        await first.flush()
        _ = await first.shutdown()
        let second = launch()
        #expect(await second.consent == .pending)
        second.track(EventDraft(type: "b"))
        await second.flush()
        #expect(try recorder.events.isEmpty)
        try await second.optIn()
        await second.flush()
        #expect(try recorder.events.map(\.type) == ["a", "b"])
        #expect(await launch().consent == .granted)
    }

    @Test func `opting out erases what was kept, and the user is not asked again`() async throws {
        let first = launch()
        first.track(EventDraft(type: "a"))
        await first.store()
        try await first.optOut()
        _ = await first.shutdown()
        let second = launch()
        #expect(await second.consent == .denied)
        try await second.optIn()
        second.track(EventDraft(type: "b"))
        await second.flush()
        #expect(try recorder.events.map(\.type) == ["b"])
        #expect(await second.consent == .granted)
    }
}

/// What the folder of a queue takes up.
@Suite struct FolderSizeTests {
    private func size(of folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            return sum + ((attributes[.size] as? NSNumber)?.intValue ?? 0)
        }
    }

    @Test(arguments: [20, 3000, 100_000])
    func `all files of a queue are bounded in bytes`(textSize: Int) async throws {
        let folder = try TemporaryDirectory()
        var configuration = DeviceQueueConfiguration(folder: folder.queue)
        configuration.maximumBytes = 2 << 20
        configuration.maximumQuarantineBytes = 1 << 20
        let app = App(folder, configuration: configuration)
        let count = 8 << 20
        for start in stride(from: 0, to: count / (textSize + 400), by: 500) {
            let end = min(start + 500, count / (textSize + 400))
            await app.track(start..<end, text: String(repeating: "x", count: textSize))
        }
        #expect(try size(of: folder.queue) < (2 << 20) * 5 / 4 + (1 << 20) + (1 << 20))
        #expect((app.tracker.statistics.dropped[.queueFull] ?? 0) > 0)
    }

    @Test func `rejected events are bounded in bytes`() async throws {
        let folder = try TemporaryDirectory()
        var configuration = DeviceQueueConfiguration(folder: folder.queue)
        configuration.maximumQuarantineBytes = 100_000
        let sink = EventSink(send: { batch in
            batch.map { _ in .rejected(SinkFailure(code: "code-\(UInt64.random(in: 0 ... .max))", detail: "no")) }
        })
        let app = App(folder, sink: sink, configuration: configuration)
        for number in 0..<60 {
            await app.track(number...number, text: String(repeating: "x", count: 9000))
            await app.tracker.flush()
        }
        let kept = try await app.queue.quarantined()
        #expect(kept.count < 11 && kept.count > 8)
    }

    @Test func `one damaged file is kept, however often a file is damaged`() async throws {
        let folder = try TemporaryDirectory()
        for number in 1...4 {
            let app = App(folder)
            await app.track(number...number)
            await app.end()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.queue)
            for name in names where name.hasSuffix(".sqlite") {
                try Data("scribble".utf8).write(to: URL(fileURLWithPath: folder.queue + "/" + name))
            }
        }
        let app = App(folder)
        await app.track(9...9)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.queue)
        #expect(names.filter { $0.hasSuffix(".sqlite") }.count == 2, "\(names)")
    }
}
