import Foundation
import UIPlatform

/// Hears from UIKit which windows go to the background, come back and disappear.
@MainActor
final class LifecycleObserver {
    private struct Unseen {
        weak var base: UIViewController?
    }
    private let observers = NotificationObservers()
    private var hasStarted = false
    private var awaitsVisibility = false
    private var unseen: [Unseen] = []

    /// Begins to follow the scenes and windows of the app.
    func start(for screens: ScreenTracker) {
        guard !hasStarted else { return }
        hasStarted = true
        observe(UIScene.didEnterBackgroundNotification, screens) { $0.enterBackground($1) }
        observe(UIScene.willEnterForegroundNotification, screens) { $0.enterForeground($1) }
        observe(UIScene.didDisconnectNotification, screens) { screens, scene in
            screens.removeGoneWindows { $0.window?.windowScene.map(ObjectIdentifier.init) == scene }
        }
        observe(UIApplication.didEnterBackgroundNotification, screens) { screens, application in
            if screens.belongs(to: application) { screens.enterBackground(nil) }
        }
        observe(UIApplication.willEnterForegroundNotification, screens) { screens, application in
            if screens.belongs(to: application) { screens.enterForeground(nil) }
        }
        observe(UIWindow.didBecomeHiddenNotification, screens) { screens, window in
            screens.removeGoneWindows { $0.window.map(ObjectIdentifier.init) == window }
        }
    }

    /// Looks at a tree when its window becomes visible.
    func awaitVisibility(of base: UIViewController, for screens: ScreenTracker) {
        unseen.removeAll { $0.base == nil || $0.base === base }
        unseen.append(Unseen(base: base))
        guard !awaitsVisibility else { return }
        awaitsVisibility = true
        observe(UIWindow.didBecomeVisibleNotification, screens) { [weak self] screens, window in
            self?.becameVisible(window, screens)
        }
    }

    private func becameVisible(_ window: ObjectIdentifier?, _ screens: ScreenTracker) {
        for base in unseen.compactMap(\.base) {
            guard let other = base.viewIfLoaded?.window, ObjectIdentifier(other) == window else { continue }
            unseen.removeAll { $0.base === base }
            screens.appeared(base)
        }
    }

    private func observe(
        _ name: Notification.Name,
        _ screens: ScreenTracker,
        _ handler: @escaping @MainActor (ScreenTracker, ObjectIdentifier?) -> Void
    ) {
        observers.add(name, of: nil) { [weak screens] object in
            // UIKit posts all of them on the main actor, and a handler without a queue runs within the post.
            MainActor.assumeIsolated {
                if let screens { handler(screens, object) }
            }
        }
    }
}

/// Observers that end with the object.
final class NotificationObservers {
    private var tokens: [any NSObjectProtocol] = []

    func add(
        _ name: Notification.Name,
        of object: AnyObject?,
        handler: @escaping @Sendable (_ object: ObjectIdentifier?) -> Void
    ) {
        let token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { notification in
            handler((notification.object as AnyObject?).map(ObjectIdentifier.init))
        }
        tokens.append(token)
    }

    deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
}
