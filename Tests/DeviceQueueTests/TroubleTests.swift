import EventTracking
import EventTrackingTestKit
import DeviceQueue
import FlowEvents
import Foundation
import GRDB
import HTTPSinkTestSupport
import FlowProcessTestSupport
import FlowTestSupport
import Testing

/// Tests full disks, missing permissions, and damaged files.
@Suite(.waits, .timeLimit(.minutes(10))) struct TroubleTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private static func run(_ command: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardError = FileHandle.nullDevice
        try process.start()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// A small file system that is easy to fill. The test needs the permission to mount one.
    @Test(
        .enabled(if: (try? TroubleTests.run("unshare", "--mount", "true")) == 0, "this user cannot mount a file system")
    )
    func `a full disk keeps events waiting, and loses none when there is room again`() async throws {
        let disk = folder.path + "/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let isMounted: Bool = try Self.run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk) == 0
        try #require(isMounted)
        defer { _ = try? Self.run("umount", "-l", disk) }
        let recorder = EventRecorder()
        let app = App(
            folder,
            sink: .recording(recorder),
            configuration: DeviceQueueConfiguration(folder: disk + "/queue")
        )
        await app.track(0..<10)
        #expect(app.tracker.statistics.tracked == 10)
        let filler = disk + "/filler"
        _ = try Self.run("dd", "if=/dev/zero", "of=\(filler)", "bs=4096", "count=10000", "status=none")
        await app.track(10..<3000, text: String(repeating: "x", count: 300))
        #expect(app.tracker.statistics.tracked < 3000)
        guard app.troubles.first?.code == .unavailable else {
            Issue.record("expected a report of a disk that cannot be used, got \(app.troubles)")
            return
        }
        try FileManager.default.removeItem(atPath: filler)
        #expect(
            try await eventually {
                await app.tracker.store()
                await app.tracker.flush()
                return try recorder.events.count == 3000
            }
        )
        let events = try recorder.events
        #expect(events.map(\.n) == (0..<3000).map(Optional.some))
        #expect(events.map(\.sequence) == (0..<3000).map { Int64($0) })
        #expect(app.tracker.statistics.droppedCount == 0)
        await app.queue.close()
    }

    @Test func `what finds no room in memory either is counted, and the count goes out`() async throws {
        // A file at the path of the queue's folder.
        try Data().write(to: URL(fileURLWithPath: folder.queue))
        let recorder = EventRecorder()
        let app = App(
            folder,
            sink: .recording(recorder),
            batching: BatchingConfiguration(maximumQueueCount: 100)
        )
        for start in stride(from: 0, to: 300, by: 50) { await app.track(start..<start + 50) }
        #expect(app.tracker.statistics.dropped == [.notStored: 200] && app.tracker.statistics.tracked == 200)
        #expect(app.troubles.count == 1)
        try FileManager.default.removeItem(atPath: folder.queue)
        for _ in 0..<2 {
            await app.tracker.store()
            await app.tracker.flush()
        }
        let events = try recorder.events
        #expect(events.filter { $0.type == "tick" }.map(\.n) == (200..<300).map(Optional.some))
        // The gap in the sequence shows them too.
        #expect(events.first?.sequence == 200)
        #expect(losses(in: events) == ["not_stored": 200])
    }

    @Test func `storing says whether the disk has what was tracked`() async throws {
        // A file at the path of the queue's folder.
        try Data().write(to: URL(fileURLWithPath: folder.queue))
        let app = App(folder)
        app.tracker.track(EventDraft(type: "tick"))
        #expect(await !app.tracker.store())
        try FileManager.default.removeItem(atPath: folder.queue)
        #expect(await app.tracker.store())
        #expect(try await deliverAll(folder).events.count == 1)
    }

    @Test func `in a folder that cannot be written events are kept in memory and delivered, and it is said`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        let helper = try HelperProcess("device-queue-helper", folder.queue, "--events", "20", "--unprivileged")
        let output = try helper.finish()
        #expect(output.contains("cannot be written") && output.contains("done tracked=20 "), "\(output)")
        #expect(!FileManager.default.fileExists(atPath: folder.queue))
    }

    @Test func `closing a queue in memory loses no event`() async throws {
        let collector = try TestCollector()
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        let helper = try HelperProcess(
            "device-queue-helper",
            folder.queue,
            "--events",
            "40",
            "--unprivileged",
            "--closing",
            "--url",
            collector.url.absoluteString
        )
        let output = try helper.finish()
        #expect(output.contains("done tracked=40 delivered=40 dropped=0"), "\(output)")
    }

    @Test func `a damaged file is kept and reported, and a new one begins`() async throws {
        // In a process that has ended, because a tracker reads its file again after it has stored events, and would
        // find the damage first.
        #expect(
            try HelperProcess("device-queue-helper", folder.queue, "--events", "10").finish().contains(
                "done tracked=10 "
            )
        )
        // Its write-ahead log would repair the file.
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.queueFile + suffix) }
        let scribble = Data("This is not a database, and was never one. ".utf8)
        try scribble.write(to: URL(fileURLWithPath: folder.queueFile))
        let app = App(folder)
        await app.track(10..<20)
        guard let path = app.troubles.first?.path, app.troubles.map(\.code) == [.damaged] else {
            Issue.record("expected one report of a damaged file, got \(app.troubles)")
            return
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == scribble)
        let (events, _, _) = try await deliverAll(folder)
        #expect(events.map(\.n) == (10..<20).map(Optional.some))
        #expect(events.map(\.sequence) == (0..<10).map { Int64($0) })
    }

    @Test func `a file damaged while it is in use costs what was in it, counted, and nothing more`() async throws {
        let app = App(folder)
        await app.track(0..<10)
        try await DatabaseQueue(path: folder.queueFile).write { try $0.execute(sql: "DROP TABLE event") }
        await app.track(10..<20)
        await app.tracker.store()
        guard let path = app.troubles.first?.path, app.troubles.map(\.code) == [.damaged] else {
            Issue.record("expected one report of a damaged file, got \(app.troubles)")
            return
        }
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(app.tracker.statistics.dropped == [.damaged: 10])
        let (events, losses, _) = try await deliverAll(folder)
        #expect(events.map(\.n) == (10..<20).map(Optional.some))
        #expect(losses == ["damaged": 10])
    }

    @Test func `an app follows its extension to the file that took the place of a damaged one`() async throws {
        let app = App(folder)
        await app.track(0..<1)
        try Data().write(to: URL(fileURLWithPath: folder.queue + "/queue-2.sqlite"))
        await app.track(1..<3)
        let (events, _, _) = try await deliverAll(folder)
        #expect(events.map(\.n) == [1, 2])
    }

    @Test func `an app sends what it stores in a file that another process has begun`() async throws {
        let recorder = EventRecorder()
        let app = App(folder, sink: .recording(recorder))
        await app.track(0..<3)
        await app.tracker.flush()
        try Data().write(to: URL(fileURLWithPath: folder.queue + "/queue-2.sqlite"))
        await app.track(3..<5)
        await app.tracker.flush()
        #expect(try recorder.events.compactMap(\.n) == [0, 1, 2, 3, 4])
        #expect(app.tracker.statistics.queued == 0)
    }

    @Test func `a file of a newer release is left alone`() async throws {
        await App(folder).track(0..<1)
        try await DatabaseQueue(path: folder.queueFile).write { try $0.execute(sql: "PRAGMA user_version = 99") }
        let app = App(folder)
        await app.track(1..<2)
        guard app.troubles.first?.code == .unavailable, let detail = app.troubles.first?.detail else {
            Issue.record("expected a report, got \(app.troubles)")
            return
        }
        #expect(detail.contains("99"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.queue).contains("queue-2.sqlite") == false)
    }

    @Test(arguments: [false, true])
    func `a shutdown tries the disk until its deadline, and counts what never got there`(isFreed: Bool) async throws {
        let recorder = EventRecorder()
        let app = App(folder, sink: .recording(recorder))
        await app.tracker.store()
        let lock = try DatabaseLock(folder.queueFile)
        for number in 0..<5 { app.tracker.track(EventDraft(type: "tick", properties: ["n": .number(Double(number))])) }
        #expect(await app.tracker.store() == false)
        async let shutdown = app.tracker.shutdown(deadline: .seconds(90))
        await app.clock.hasSleeper(until: .seconds(90))
        if isFreed { try lock.release() }
        app.clock.advance(by: isFreed ? .seconds(70) : .seconds(90))
        let report = await shutdown
        #expect(report.isComplete == isFreed)
        #expect(report.statistics.delivered == (isFreed ? 5 : 0))
        #expect(report.statistics.dropped == (isFreed ? [:] : [.notStored: 5]))
        if !isFreed { try lock.release() }
    }

    @MainActor
    @Test func `track does not wait for the disk, on the main actor or elsewhere`() async throws {
        let app = App(folder)
        await app.track(0..<1)
        let other = try DatabaseQueue(path: folder.queueFile)
        let (locked, isLocked) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? other.inDatabase { database in
                try database.inTransaction(.exclusive) {
                    isLocked.yield()
                    release.wait()
                    return .commit
                }
            }
        }
        for await _ in locked { break }
        // If a call waited for the lock, it would never return.
        for number in 1..<1000 {
            app.tracker.track(EventDraft(type: "tick", properties: ["n": .number(Double(number))]))
        }
        #expect(app.tracker.statistics.tracked == 1)
        release.signal()
        await app.tracker.store()
        #expect(app.tracker.statistics.tracked == 1000)
    }

    // In a separate process, because the notification affects all databases of a process.
    @Test func `a suspended app holds no lock, also after it has stored what it tracked meanwhile`() async throws {
        let helper = try HelperProcess(
            "device-queue-helper",
            folder.queue,
            "--events",
            "40",
            "--suspended-until-input-ends"
        )
        var output = ""
        while !output.contains("suspended tracked=") { output += helper.nextOutput() }
        #expect(output.contains("suspended tracked=40\n"))
        var settings = Configuration()
        settings.busyMode = .immediateError
        try await DatabaseQueue(path: folder.queueFile, configuration: settings).write {
            try $0.execute(sql: "UPDATE state SET failures = failures")
        }
        output = try helper.finish()
        #expect(output.contains("done tracked=40"), "\(output)")
    }
}
