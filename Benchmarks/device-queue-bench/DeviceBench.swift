import EventTracking
import DeviceQueue
import FlowEvents
import Foundation

/// Measures durable tracking: the number of events per second that a tracker writes to the disk and syncs.
///
///     device-queue-bench [EVENTS [EVENTS-PER-STORE]]
///
/// EVENTS-PER-STORE is the number of events that are tracked between two waits for the disk, like the bursts of a busy
/// app. By default all events are one burst. To measure one core, run `taskset -c 0 device-queue-bench`.
@main struct DeviceBench {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
        let total = numbers.first ?? 200_000
        let burst = numbers.dropFirst().first ?? total
        let folder = NSTemporaryDirectory() + "device-queue-bench-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let offline = EventSink(send: { events in
            events.map { _ in .retry(SinkFailure(code: "offline", detail: ""), after: .seconds(86_400)) }
        })
        let tracker = Tracker(
            source: "app://com.example.shop",
            queue: DeviceQueue(DeviceQueueConfiguration(folder: folder, maximumBytes: .max)),
            sink: offline,
            configuration: TrackerConfiguration(
                batching: BatchingConfiguration(maximumQueueCount: total, maximumQueueBytes: .max)
            )
        )
        await tracker.store()
        let properties: [String: PropertyValue] = ["app_version": "3.1.0", "platform": "ios", "count": 3]
        let draft = EventDraft(
            type: "screen_view",
            screen: "paywall",
            previousScreen: "home",
            transition: "present",
            presentationID: UUID().uuidString,
            paywallSource: "home",
            properties: properties
        )
        var calling = Duration.zero
        let clock = ContinuousClock()
        let before = processorTime()
        let start = clock.now
        for first in stride(from: 0, to: total, by: burst) {
            calling += clock.measure {
                for _ in first..<min(first + burst, total) { tracker.track(draft) }
            }
            await tracker.store()
        }
        let wall = (clock.now - start) / .seconds(1)
        let processor = processorTime() - before
        let statistics = tracker.statistics
        guard statistics.tracked == total, statistics.droppedCount == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: "not all stored: \(statistics)"])
        }
        print("stored \(total) events of \(burst) a burst: \(Int(Double(total) / wall)) events/s")
        print("processor time: \(Int(Double(total) / processor)) events/s of one core")
        print("on the caller of track: \(Int(calling / .nanoseconds(1)) / total) ns an event")
    }

    /// Returns the processor time of all threads in seconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}
