public import EventTracking
import Foundation
public import UIPlatform

/// Sends what is queued when an app enters the background, while a background task holds off the system.
///
/// ```swift
/// let flush = BackgroundFlush(tracker, of: .shared, willSuspend: queue.suspend, willResume: queue.resume)
/// ```
///
/// With a queue on the device, `willSuspend` and `willResume` are where it gives up its locks and takes them again. Keep
/// the value as long as the app runs.
@MainActor
public final class BackgroundFlush {
    private let tracker: Tracker
    private let application: UIApplication
    private let willSuspend: @Sendable () -> Void
    private let willResume: @Sendable () -> Void
    private let observers: Observers
    private var backgroundTask = UIBackgroundTaskIdentifier.invalid
    private var isInBackground = false

    /// Begins to follow an app.
    ///
    /// - Parameters:
    ///   - tracker: what is flushed.
    ///   - application: the app: `UIApplication.shared`, which an extension does not have.
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
        observers = Observers()
        // The app posts both on the main actor, and a handler without a queue runs within the post.
        observers.add(UIApplication.didEnterBackgroundNotification, of: application) { [weak self] in
            MainActor.assumeIsolated { self?.enterBackground() }
        }
        observers.add(UIApplication.willEnterForegroundNotification, of: application) { [weak self] in
            MainActor.assumeIsolated { self?.enterForeground() }
        }
    }

    private func enterBackground() {
        isInBackground = true
        guard backgroundTask == .invalid else { return }
        backgroundTask = application.beginBackgroundTask(withName: "flow-funnels.flush") { [weak self] in
            self?.endBackgroundTask()
        }
        Task {
            await tracker.flush()
            endBackgroundTask()
        }
    }

    private func enterForeground() {
        isInBackground = false
        willResume()
        Task { [tracker] in await tracker.store() }
    }

    /// Once for each task, whether the flush or the time is over first.
    private func endBackgroundTask() {
        guard backgroundTask != .invalid else { return }
        if isInBackground { willSuspend() }
        application.endBackgroundTask(backgroundTask)
        backgroundTask = .invalid
    }
}

/// Observers that end with the value.
private final class Observers {
    private var tokens: [any NSObjectProtocol] = []

    func add(_ name: Notification.Name, of object: AnyObject, handler: @escaping @Sendable () -> Void) {
        tokens.append(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { _ in handler() }
        )
    }

    deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
}
