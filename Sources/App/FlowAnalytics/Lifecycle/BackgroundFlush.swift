public import EventTracking
import Foundation
public import UIPlatform

/// Sends the queued events when the app enters the background. A background task keeps the system from suspending the app
/// meanwhile.
///
/// ```swift
/// let flush = BackgroundFlush(tracker, of: .shared, willSuspend: queue.suspend, willResume: queue.resume)
/// ```
///
/// A queue on the device releases its locks in `willSuspend` and takes them again in `willResume`. Keep the object as long
/// as the app runs.
@MainActor
public final class BackgroundFlush {
    private let tracker: Tracker
    private let application: UIApplication
    private let willSuspend: @Sendable () -> Void
    private let willResume: @Sendable () -> Void
    private let observers = NotificationObservers()
    private var backgroundTask = UIBackgroundTaskIdentifier.invalid
    /// The number of flushes, since a flush may end after another one has begun.
    private var flushCount = 0
    private var isInBackground = false
    /// Whether the last flush, or the wait for its time to end, is not over.
    private var isFlushing = false

    /// Begins to follow an app.
    ///
    /// - Parameters:
    ///   - tracker: the tracker to flush.
    ///   - application: the app, `UIApplication.shared`. An extension has none.
    ///   - willSuspend: called when the flush is over or its time is up, before the system may suspend the app.
    ///   - willResume: called when the app leaves the background.
    public init(
        _ tracker: Tracker,
        of application: UIApplication,
        willSuspend: @escaping @Sendable () -> Void = {},
        willResume: @escaping @Sendable () -> Void = {}
    ) {
        self.tracker = tracker
        self.application = application
        self.willSuspend = willSuspend
        self.willResume = willResume
        // The app posts both on the main actor, and a handler without a queue runs within the post.
        observers.add(UIApplication.didEnterBackgroundNotification, of: application) { [weak self] _ in
            MainActor.assumeIsolated { self?.enterBackground() }
        }
        observers.add(UIApplication.willEnterForegroundNotification, of: application) { [weak self] _ in
            MainActor.assumeIsolated { self?.enterForeground() }
        }
    }

    private func enterBackground() {
        isInBackground = true
        flushCount += 1
        let number = flushCount
        let previous = backgroundTask
        backgroundTask = application.beginBackgroundTask(withName: "flow-funnels.flush") { [weak self] in
            self?.endBackgroundTask(ofFlush: number)
        }
        isFlushing = true
        // The app was in front and is back while it still flushed: this flush sends what came since, too.
        if previous != .invalid { application.endBackgroundTask(previous) }
        // Without background time the system may suspend the app at once.
        guard backgroundTask != .invalid else { return endBackgroundTask(ofFlush: number) }
        Task {
            await tracker.flush()
            endBackgroundTask(ofFlush: number)
        }
    }

    private func enterForeground() {
        isInBackground = false
        willResume()
        Task { [tracker] in await tracker.store() }
    }

    /// Ends the task of the last flush once, whether the flush or its time is over first.
    private func endBackgroundTask(ofFlush number: Int) {
        guard number == flushCount, isFlushing else { return }
        isFlushing = false
        if isInBackground { willSuspend() }
        guard backgroundTask != .invalid else { return }
        application.endBackgroundTask(backgroundTask)
        backgroundTask = .invalid
    }
}
