import EventTracking
import DeviceQueue
import FlowEvents
import Foundation
import HTTPSink
import FunnelTortureSupport

/// An app on a phone, for `funnel-torture`, which kills it.
///
///     funnel-torture-app --phone N --folder PATH --journal PATH --url URL --seed N [--clock-offset MS] [--wall-clock]
///                 [--queue-bytes N] [--pace EVENTS_PER_SECOND] [--finish]
///
/// Tracks what a person does until it is killed, and keeps a journal of what the tracker says is on the disk. Takes
/// commands from standard input: `clock MS` moves the phone's clock, `full` and `free` make the disk full and empty
/// again. With `--finish` it tracks no more than it takes to have everything delivered, writes so and ends.
@main struct TortureApp {
    static func main() async throws {
        // A full disk is an error, not a signal; nor is a reader that is gone.
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

    /// Delivers everything, the counts of what was dropped included.
    private static func finish(_ tracker: Tracker, _ diary: inout Diary) async throws {
        var person = Person(seed: 0)
        // What is delivered lets the counts be told, which are events then; those may have to be told of in turn.
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
