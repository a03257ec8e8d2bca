import EventTracking
import EventTrackingTestKit
import DeviceQueue
import FlowEvents
import FlowTestSupport
import Foundation
import Testing

@Suite(.waits, .timeLimit(.minutes(10))) struct PrivacyTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func `opting out purges the disk, its log, its quarantine and its damaged files`() async throws {
        let app = try await folder.leaveNeedles()
        #expect(try folder.queueHolds("needle"))
        try await app.tracker.optOut()
        #expect(try !folder.queueHolds("needle"))
        #expect(try await app.queue.quarantined().isEmpty)
        #expect(app.tracker.statistics.dropped[.optedOut] ?? 0 >= 500 && app.tracker.statistics.queued == 0)
    }

    @Test func `an opt-out that could not delete everything does so at the next call, also after a restart`()
        async throws
    {
        for restarts in [false, true] {
            var app = App(folder)
            try await app.tracker.optIn()
            await app.track(0..<50, text: "needle")
            let lock = try DatabaseLock(folder.queueFile)
            await #expect(throws: DeviceQueueError.self) { try await app.tracker.optOut() }
            #expect(try folder.queueHolds("needle"))
            try lock.release()
            if restarts {
                await app.queue.close()
                app = App(folder)
            }
            try await app.tracker.optOut()
            #expect(try !folder.queueHolds("needle"))
        }
    }

    @Test func `nothing is stored or sent after an opt-out, by this run, the next, or another process`() async throws {
        let recorder = EventRecorder()
        let other = App(folder, sink: .recording(recorder))
        let app = App(folder, sink: .recording(recorder))
        await app.track(0..<1)
        try await app.tracker.optOut()
        await app.track(1..<2)
        await other.track(2..<3)
        await other.tracker.flush()
        let next = App(folder, sink: .recording(recorder))
        await next.track(3..<4)
        await next.track(4..<5)
        for tracker in [app.tracker, other.tracker, next.tracker] { await tracker.flush() }
        #expect(recorder.batches.isEmpty)
        #expect(next.tracker.statistics.dropped == [.optedOut: 2])
        #expect(try await DatabaseReading.int(folder.queueFile, "SELECT count(*) FROM event") == 0)
    }

    @Test func `opting in begins a new install, at 0, and survives damage to the file`() async throws {
        let app = App(folder)
        await app.track(0..<3)
        let before = try await deliverAll(folder).events
        try await app.tracker.optOut()
        await app.queue.close()
        try Data("scribble".utf8).write(to: URL(fileURLWithPath: folder.queueFile))
        let next = App(folder)
        await next.track(3..<4)
        #expect(next.tracker.statistics.dropped == [.optedOut: 1])
        try await next.tracker.optIn()
        await next.track(4..<6)
        let after = try await deliverAll(folder).events
        #expect(after.map(\.n) == [4, 5] && after.map(\.sequence) == [0, 1])
        #expect(Set(after.map(\.installID)).isDisjoint(with: before.map(\.installID)))
    }

    @Test func `what the filter drops or takes out never reaches the disk`() async throws {
        let filter = EventFilter { $0.type == "secret" ? nil : $0 }.allowing(properties: ["n"])
        let app = App(folder, filter: filter)
        await app.track(0..<5, type: "secret", text: "needle")
        await app.track(5..<8, text: "needle")
        #expect(app.tracker.statistics.dropped == [.filtered: 5])
        #expect(try !folder.queueHolds("needle"))
        #expect(try await deliverAll(folder).events.map(\.n) == [5, 6, 7])
    }

    @Test func `reset forgets the user, and begins a session`() async throws {
        let app = App(folder)
        app.tracker.identify(userID: "u-42")
        await app.track(0..<1)
        app.tracker.reset()
        await app.track(1..<2)
        let events = try await deliverAll(folder).events
        #expect(events.map(\.userID) == ["u-42", nil])
        #expect(Set(events.map(\.sessionID)).count == 2 && Set(events.map(\.installID)).count == 1)
    }

    @Test func `only the owner may read the files`() async throws {
        await App(folder).track(0..<1)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.queueFile)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let folderAttributes = try FileManager.default.attributesOfItem(atPath: folder.queue)
        #expect((folderAttributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }
}
