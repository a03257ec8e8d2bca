import EventTracking
import DeviceQueue
import FlowEvents
import Foundation
import HTTPSink
import FunnelTortureSupport

/// An app on a phone. `funnel-torture` starts and kills it.
///
///     funnel-torture-app --phone N --folder PATH --journal PATH --url URL --seed N [--clock-offset MS] [--wall-clock]
///                 [--queue-bytes N] [--pace EVENTS_PER_SECOND] [--finish]
///
/// Tracks the actions of a simulated user until it is killed, and writes a journal of the events that the tracker has
/// stored. It reads commands from standard input: `clock MS` changes the phone's clock, `full` and `free` make the disk
/// full and empty again. With `--finish` it only delivers what is left, notes that in the journal, and ends.
@main struct TortureApp {
    static func main() async throws {
        // A full disk and a closed pipe give errors instead of signals.
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        let options = try Options(CommandLine.arguments)
        let clock = PhoneClock(offset: options.clockOffset)
        let tracker = tracker(options, clock)
        let disk = PhoneDisk()
        Remote(clock: clock, disk: disk).listen()
        var diary = try Diary(options, disk)
        if options.finishes {
            try await finish(tracker, &diary)
        } else {
            await use(tracker, options, &diary)
        }
    }

    private static func tracker(_ options: Options, _ clock: PhoneClock) -> Tracker {
        let runClock = RunClock(anchor: clock.now)
        return Tracker(
            source: "app://torture",
            queue: DeviceQueue(DeviceQueueConfiguration(folder: options.folder, maximumBytes: options.queueBytes)),
            sink: .http(HTTPSinkConfiguration(url: options.url, writeKey: options.writeKey, timeout: .seconds(4))),
            configuration: TrackerConfiguration(
                batching: BatchingConfiguration(
                    maximumBatchCount: 50,
                    maximumAge: .milliseconds(200),
                    maximumQueueCount: 100,
                    backoff: Backoff(base: .milliseconds(50), maximum: .seconds(2))
                )
            ),
            now: { options.followsWallClock ? clock.now : runClock.now },
            onReport: { Console.write("\($0)\n") }
        )
    }

    /// Tracks until the process is killed.
    private static func use(_ tracker: Tracker, _ options: Options, _ diary: inout Diary) async {
        var person = Person(seed: options.seed)
        var number = 0
        while true {
            let count = Int.random(in: 1...12, using: &person.random)
            for _ in 0..<count {
                number += 1
                tracker.track(person.draft(number, run: diary.run))
            }
            if Int.random(in: 0..<40, using: &person.random) == 0 { tracker.reset() }
            if await tracker.store() { diary.stored(through: number, tracker.statistics) }
            try? await Task.sleep(for: .milliseconds(1000 * count / options.pace))
        }
    }

    /// Delivers all events, including those that report dropped events.
    private static func finish(_ tracker: Tracker, _ diary: inout Diary) async throws {
        var person = Person(seed: 0)
        // A delivery makes room for the events that report drops. Those need a delivery too, and may report more drops.
        for number in 1...4 {
            tracker.track(person.draft(number, run: diary.run))
            repeat {
                if await tracker.store() { diary.stored(through: number, tracker.statistics) }
                await tracker.flush()
                try await Task.sleep(for: .milliseconds(50))
            } while tracker.statistics.queued > 0
        }
        diary.finish()
    }
}
