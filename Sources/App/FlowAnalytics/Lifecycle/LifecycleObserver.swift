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
    /// The windows that have become visible in this turn of the main actor.
    private var new: Set<ObjectIdentifier> = []

    /// Begins to note which windows are new. Everything else begins with the first window of a tracked flow.
    func noteNewWindows() {
        observers.add(UIWindow.didBecomeVisibleNotification, of: nil) { [weak self] notification in
            let window = (notification.object as AnyObject?).map(ObjectIdentifier.init)
            MainActor.assumeIsolated {
                guard let window else { return }
                self?.noteNew(window)
            }
        }
    }

    private func noteNew(_ window: ObjectIdentifier) {
        if new.isEmpty { Task { [weak self] in self?.new = [] } }
        new.insert(window)
    }

    /// Whether nobody can have seen what a window shows: it has become visible in this turn, or is not visible yet.
    func isNew(_ window: UIWindow?) -> Bool {
        window.map { new.contains(ObjectIdentifier($0)) } ?? true
    }

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
        observe(UIApplication.didBecomeActiveNotification, screens) { screens, application in
            if screens.belongs(to: application) { screens.reveal(nil) }
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
        observers.add(UIWindow.didBecomeVisibleNotification, of: nil) { [weak self, weak screens] notification in
            guard let window = notification.object as? UIWindow else { return }
            MainActor.assumeIsolated {
                if let screens { self?.becameVisible(window, screens) }
            }
        }
    }

    private func becameVisible(_ window: UIWindow, _ screens: ScreenTracker) {
        for base in unseen.compactMap(\.base) {
            guard base.viewIfLoaded?.window === window else {
                // UIKit may load the view of the root later than it says that the window is visible.
                if window.rootViewController === base { screens.lookForViews() }
                continue
            }
            unseen.removeAll { $0.base === base }
            screens.appeared(base)
        }
    }

    private func observe(
        _ name: Notification.Name,
        _ screens: ScreenTracker,
        _ handler: @escaping @MainActor (ScreenTracker, ObjectIdentifier?) -> Void
    ) {
        observers.add(name, of: nil) { [weak screens] notification in
            let object = (notification.object as AnyObject?).map(ObjectIdentifier.init)
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
        handler: @escaping @Sendable (Notification) -> Void
    ) {
        tokens.append(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: handler)
        )
    }

    deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
}
