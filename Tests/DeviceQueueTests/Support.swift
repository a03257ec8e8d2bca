import EventTracking
import EventTrackingTestKit
import DeviceQueue
import FlowEvents
import FlowTestSupport
import Foundation
import GRDB
import Testing

extension TemporaryDirectory {
    /// The folder of a queue.
    var queue: String { file("queue") }
    /// The first file of the queue.
    var queueFile: String { queue + "/queue-1.sqlite" }

    /// Whether any file of the queue contains the text.
    func queueHolds(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: queue).contains { name in
            try Data(contentsOf: URL(fileURLWithPath: queue + "/" + name)).range(of: Data(text.utf8)) != nil
        }
    }

    /// Runs an app that leaves the text `needle` in a damaged file, in the quarantine, and in 500 events of the queue.
    func leaveNeedles() async throws -> App {
        let old = App(self)
        await old.track(0..<5, text: "needle in a damaged file")
        await old.end()
        let damaged = try FileHandle(forWritingTo: URL(fileURLWithPath: queueFile))
        try damaged.write(contentsOf: Data("broken".utf8))
        try damaged.close()
        let refusing = EventSink(send: { $0.map { _ in .rejected(SinkFailure(code: "no", detail: "")) } })
        let first = App(self, sink: refusing)
        await first.track(0..<5, text: "needle in quarantine")
        await first.tracker.flush()
        let app = App(self)
        await app.track(0..<500, text: "needle in the queue")
        return app
    }
}

/// One run of an app: a tracker with a queue in a folder, and its reports.
struct App {
    let queue: DeviceQueue
    let tracker: Tracker
    let clock: ManualClock
    let reports: Locked<[TrackerReport]>

    init(
        _ folder: TemporaryDirectory,
        sink: EventSink = .offline,
        configuration: DeviceQueueConfiguration? = nil,
        batching: BatchingConfiguration = BatchingConfiguration(),
        filter: EventFilter = .everything,
        now: (@Sendable () -> Timestamp)? = nil
    ) {
        let clock = ManualClock()
        let reports = Locked<[TrackerReport]>([])
        let queue = DeviceQueue(configuration ?? DeviceQueueConfiguration(folder: folder.queue))
        let anchor = Timestamp.now
        self.clock = clock
        self.reports = reports
        self.queue = queue
        tracker = Tracker(
            source: "app://test",
            queue: queue,
            sink: sink,
            configuration: TrackerConfiguration(batching: batching),
            filter: filter,
            now: now ?? { Timestamp(milliseconds: anchor.milliseconds + clock.now.offset.wholeMilliseconds) },
            clock: clock,
            jitter: { 0.5 },
            onReport: { report in reports.withLock { $0.append(report) } }
        )
    }

    /// Tracks events with the numbers `n`, and returns when they are stored.
    func track(_ numbers: some Sequence<Int>, type: String = "tick", text: String = "") async {
        for number in numbers {
            tracker.track(EventDraft(type: type, properties: ["n": .number(Double(number)), "text": .string(text)]))
        }
        await tracker.store()
    }

    /// Ends the run: after the first attempt to send, nothing uses the files any more.
    func end() async {
        await tracker.flush()
        await queue.close()
    }

    /// The reported errors of the queue.
    var troubles: [DeviceQueueError] {
        reports.withLock { reports in
            reports.compactMap { if case .storage(let error) = $0 { error as? DeviceQueueError } else { nil } }
        }
    }
}

extension EventSink {
    /// Asks to retry every event.
    static var offline: EventSink {
        EventSink(send: { $0.map { _ in .retry(SinkFailure(code: "offline", detail: "")) } })
    }
}

/// A lock of another process on a database: nobody else writes until it is released.
struct DatabaseLock {
    private let database: DatabaseQueue

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    func release() throws {
        try database.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try database.close()
    }
}

/// Delivers all events in a folder. Returns the events in order, and the reported losses separately.
func deliverAll(_ folder: TemporaryDirectory) async throws -> (events: [Event], losses: [String: Int], tracker: Tracker)
{
    let recorder = EventRecorder()
    let app = App(folder, sink: .recording(recorder))
    // The first flush may store events that report losses, which the second one sends.
    for _ in 0..<2 {
        await app.tracker.store()
        await app.tracker.flush()
    }
    let events = try recorder.events
    return (events.filter { $0.type != "events_dropped" }, losses(in: events), app.tracker)
}

/// Returns the sums of the events that report losses.
func losses(in events: [Event]) -> [String: Int] {
    var losses: [String: Int] = [:]
    for event in events where event.type == "events_dropped" {
        guard case .string(let reason)? = event.properties["reason"],
            let count = event.properties["count"]?.exactNumber
        else { continue }
        losses[reason, default: 0] += count.integer.map(Int.init) ?? 0
    }
    return losses
}

extension Event {
    /// The property `n`.
    var n: Int? {
        guard let number = properties["n"]?.exactNumber else { return nil }
        return number.integer.map(Int.init)
    }

    /// The property `process`.
    var process: String? {
        guard case .string(let name)? = properties["process"] else { return nil }
        return name
    }
}
