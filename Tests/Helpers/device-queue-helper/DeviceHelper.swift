import EventTracking
import DeviceQueue
import FlowEvents
import Foundation
import HTTPSink

/// An app in a separate process, for tests that kill it.
///
///     device-queue-helper FOLDER [--events N] [--url URL] [--clock-offset MS] [--unprivileged]
///                   [--suspended-until-input-ends] [--closing]
///
/// Tracks events with the properties `n` = 1, 2, … and `process`, until it is killed or N events are tracked. Prints
/// `stored PROCESS N` when the first N events are on the disk, and `report …` for each report. With a URL it also
/// delivers the events. After N events it prints `done` with the statistics, and waits for the end of its input.
@main struct DeviceHelper {
    static func main() async throws {
        let options = Options(CommandLine.arguments)
        // Before the user changes: Foundation looks for the program's folder once, and ends a program that may not read it.
        // A user other than root may not read /root.
        _ = Bundle.main.executablePath
        if options.isUnprivileged, geteuid() == 0, setuid(65_534) != 0 { exit(2) }
        let queue = DeviceQueue(DeviceQueueConfiguration(folder: options.folder))
        let tracker = Tracker(
            source: "app://helper",
            queue: queue,
            sink: sink(options),
            configuration: TrackerConfiguration(
                batching: BatchingConfiguration(
                    maximumBatchCount: 50,
                    maximumAge: .milliseconds(20),
                    backoff: Backoff(base: .milliseconds(20), maximum: .milliseconds(500))
                )
            ),
            now: clock(options),
            onReport: { say("report \($0)") }
        )
        let name = UUID().uuidString
        var count = 0
        while count < options.events {
            if options.suspends, count == 20 { queue.suspend() }
            for _ in 0..<min(20, options.events - count) {
                count += 1
                let properties: [String: PropertyValue] = ["n": .number(Double(count)), "process": .string(name)]
                tracker.track(EventDraft(type: "tick", properties: properties))
            }
            await tracker.store()
            if options.closes { await queue.close() }
            // Events in memory are not stored yet.
            if tracker.statistics.tracked >= count { say("stored \(name) \(count)") }
            if options.suspends, count == 40 {
                say("suspended tracked=\(tracker.statistics.tracked)")
                _ = FileHandle.standardInput.readDataToEndOfFile()
                queue.resume()
                await tracker.store()
            }
        }
        if options.url != nil { await tracker.flush() }
        let statistics = tracker.statistics
        say("done tracked=\(statistics.tracked) delivered=\(statistics.delivered) dropped=\(statistics.droppedCount)")
        _ = FileHandle.standardInput.readDataToEndOfFile()
    }

    private static func sink(_ options: Options) -> EventSink {
        guard let url = options.url else {
            return EventSink(send: { events in
                events.map { _ in .retry(SinkFailure(code: "offline", detail: "no address")) }
            })
        }
        return .http(HTTPSinkConfiguration(url: url, writeKey: "wk_test", timeout: .seconds(5)))
    }

    /// Returns a clock with the wrong time.
    private static func clock(_ options: Options) -> @Sendable () -> Timestamp {
        let anchor = Timestamp(milliseconds: Timestamp.now.milliseconds + options.clockOffset)
        let clock = RunClock(anchor: anchor)
        return { clock.now }
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

private struct Options {
    var folder = ""
    var events = Int.max
    var url: URL?
    var clockOffset: Int64 = 0
    var isUnprivileged = false
    var suspends = false
    var closes = false

    init(_ arguments: [String]) {
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            switch word {
            case "--events": events = rest.popFirst().flatMap(Int.init) ?? events
            case "--url": url = rest.popFirst().flatMap(URL.init(string:))
            case "--clock-offset": clockOffset = rest.popFirst().flatMap(Int64.init) ?? 0
            case "--suspended-until-input-ends": suspends = true
            case "--closing": closes = true
            case "--unprivileged": isUnprivileged = true
            default: folder = word
            }
        }
    }
}
