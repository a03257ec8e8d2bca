import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import Testing
import UIPlatform

/// What happens to queued events when the app enters the background.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct BackgroundFlushTests {
    private let application = UIApplication()
    private let recorder = EventRecorder()
    private let calls = Locked<[String]>([])

    private var system: HeadlessSystem { HeadlessSystem(of: application) }

    private func follow(_ tracker: Tracker, of other: UIApplication? = nil) -> BackgroundFlush {
        BackgroundFlush(
            tracker,
            of: other ?? application,
            willSuspend: { [calls] in calls.withLock { $0.append("suspend") } },
            willResume: { [calls] in calls.withLock { $0.append("resume") } }
        )
    }

    private func tracker(_ sink: EventSink) -> Tracker {
        Tracker(source: "app://test", identity: .memory(), sink: sink, clock: ManualClock())
    }

    private func canSuspend() async {
        while !system.canSuspend { await Task.yield() }
    }

    @Test func `entering the background sends what is queued before the system may suspend the app`() async {
        let tracker = tracker(.recording(recorder))
        let flush = follow(tracker)
        tracker.track(EventDraft(type: "a"))
        system.enterBackground()
        #expect(!system.canSuspend && recorder.batches.isEmpty)
        await canSuspend()
        #expect(tracker.statistics.delivered == 1)
        #expect(calls.withLock { $0 } == ["suspend"])
        withExtendedLifetime(flush) {}
    }

    @Test func `when the time is over the task ends, although the sink has not answered`() async {
        let (stream, end) = AsyncStream.makeStream(of: Void.self)
        let tracker = tracker(
            EventSink(send: { events in
                for await _ in stream {}
                return events.map { _ in .delivered }
            })
        )
        let flush = follow(tracker)
        tracker.track(EventDraft(type: "a"))
        system.enterBackground()
        system.endBackgroundTime()
        #expect(system.canSuspend)
        #expect(calls.withLock { $0 } == ["suspend"])
        end.finish()
        await tracker.flush()
        #expect(calls.withLock { $0 } == ["suspend"])
        withExtendedLifetime(flush) {}
    }

    @Test func `without background time the queue is suspended at once`() async {
        let application = BusyApplication()
        let flush = follow(tracker(.recording(recorder)), of: application)
        HeadlessSystem(of: application).enterBackground()
        #expect(calls.withLock { $0 } == ["suspend"])
        HeadlessSystem(of: application).enterForeground()
        HeadlessSystem(of: application).enterBackground()
        #expect(calls.withLock { $0 } == ["suspend", "resume", "suspend"])
        withExtendedLifetime(flush) {}
    }

    @Test func `an app that is back before the flush is over is not suspended`() async {
        let tracker = tracker(.recording(recorder))
        let flush = follow(tracker)
        tracker.track(EventDraft(type: "a"))
        system.enterBackground()
        system.enterForeground()
        while tracker.statistics.delivered == 0 { await Task.yield() }
        await tracker.flush()
        #expect(calls.withLock { $0 } == ["resume"])
        system.enterBackground()
        await canSuspend()
        #expect(calls.withLock { $0 } == ["resume", "suspend"])
        withExtendedLifetime(flush) {}
    }

    @Test func `a flush that ends late ends no newer one`() async {
        let (first, endFirst) = AsyncStream.makeStream(of: Void.self)
        let (second, endSecond) = AsyncStream.makeStream(of: Void.self)
        let count = Locked(0)
        let tracker = tracker(
            EventSink(send: { events in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                for await _ in number == 1 ? first : second {}
                return events.map { _ in .delivered }
            })
        )
        let flush = follow(tracker)
        tracker.track(EventDraft(type: "a"))
        system.enterBackground()
        while count.withLock({ $0 }) == 0 { await Task.yield() }
        system.endBackgroundTime()
        #expect(calls.withLock { $0 } == ["suspend"])
        system.enterForeground()
        tracker.track(EventDraft(type: "b"))
        system.enterBackground()
        #expect(!system.canSuspend)
        endFirst.finish()
        while count.withLock({ $0 }) == 1 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(!system.canSuspend && calls.withLock { $0 } == ["suspend", "resume"])
        endSecond.finish()
        await canSuspend()
        #expect(calls.withLock { $0 } == ["suspend", "resume", "suspend"])
        #expect(tracker.statistics.delivered == 2)
        withExtendedLifetime(flush) {}
    }

    @Test func `another app's background is not this one's`() {
        // Without background time, a notification that is heard suspends or resumes the queue at once.
        let application = BusyApplication()
        let flush = follow(tracker(.recording(recorder)), of: application)
        let other = HeadlessSystem(of: UIApplication())
        other.enterBackground()
        other.enterForeground()
        #expect(calls.withLock { $0.isEmpty })
        HeadlessSystem(of: application).enterBackground()
        #expect(calls.withLock { $0 } == ["suspend"])
        withExtendedLifetime(flush) {}
    }
}

/// An app that gets no background time.
private final class BusyApplication: UIApplication {
    override func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier { .invalid }
}
