import Foundation
import UIPlatform

/// Listens for a ``ScreenTracker`` where a delegate is the better source and the app has none of its own.
///
/// Only the delegate of a presentation hears that the user has dismissed it, and only the delegate of a page controller
/// hears that a page has been turned: the page before may stay in the window. The delegates of navigation and tab bar
/// controllers are only taken if the current screen does not allow a view in its view.
@MainActor
final class DelegateObserver: NSObject {
    /// The tracker to call.
    weak var screens: ScreenTracker?
    // The screens that were watched last. A screen that is forgotten gets a second view when it becomes current again.
    // Looking through so few is faster than hashing.
    private var watched: [ControllerIdentity] = []
    private var oldestWatched = 0
    private static let watchedLimit = 128

    /// Becomes the delegate of what leads to a screen, where there is none.
    ///
    /// - Parameter isOnlySource: whether no view hears of changes to the screen.
    func attach(to path: VisibleScreen.Path, isOnlySource: Bool) {
        if let pages = path.pages, pages.delegate == nil { pages.delegate = self }
        if let presentation = path.presented?.presentationController, presentation.delegate == nil {
            presentation.delegate = self
        }
        if isOnlySource { attachWithoutView(to: path) }
    }

    // Not inlined: the way of nearly all screens is the one above.
    @inline(never)
    private func attachWithoutView(to path: VisibleScreen.Path) {
        if let screens, let presented = path.presented,
            let container = presented.presentationController?.containerView
        {
            PresentationWatchView.add(to: container, of: presented, for: screens)
        }
        if let navigation = path.navigation, navigation.delegate == nil { navigation.delegate = self }
        if let tabs = path.tabs, tabs.delegate == nil { tabs.delegate = self }
    }

    /// Becomes the delegate of a stack that shows nothing that counts, if it has none: nothing else hears what it shows next.
    func listen(to stack: UINavigationController) {
        if stack.delegate == nil { stack.delegate = self }
    }

    /// Whether a view watches the controller.
    func isWatched(_ controller: UIViewController) -> Bool {
        let id = ObjectIdentifier(controller)
        for index in watched.indices where watched[index].matches(id) { return true }
        return false
    }

    func setWatched(_ controller: UIViewController) {
        let identity = ControllerIdentity(controller)
        // Taken out to be changed, for the same reason as `PaywallPresentations.begin(_:)`.
        var changed = watched
        watched = []
        if changed.count < Self.watchedLimit {
            changed.append(identity)
        } else {
            changed[oldestWatched] = identity
            oldestWatched = (oldestWatched + 1) % Self.watchedLimit
        }
        watched = changed
    }
}

extension DelegateObserver: UINavigationControllerDelegate {
    func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    ) {
        screens?.look(near: navigationController)
    }
}

extension DelegateObserver: UIAdaptivePresentationControllerDelegate {
    func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {
        screens?.userWillDismiss(presentationController)
    }

    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
        screens?.look(near: presentationController.presentingViewController, .swipeDismiss)
    }
}

extension DelegateObserver: UITabBarControllerDelegate {
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {
        screens?.look(near: tabBarController, .tab)
    }
}

extension DelegateObserver: UIPageViewControllerDelegate {
    func pageViewController(
        _ pageViewController: UIPageViewController,
        didFinishAnimating finished: Bool,
        previousViewControllers: [UIViewController],
        transitionCompleted completed: Bool
    ) {
        if completed { screens?.look(near: pageViewController) }
    }
}

extension ScreenTracker {
    /// The user has begun to dismiss a presentation, and may still cancel.
    ///
    /// An app with a delegate of its own may call this from `presentationControllerWillDismiss(_:)`. Then a swipe is
    /// always told apart from a dismissal by the app.
    public func userWillDismiss(_ presentationController: UIPresentationController) {
        let presented = presentationController.presentedViewController
        userDismissal = ObjectIdentifier(presented)
        presented.transitionCoordinator?.animate(alongsideTransition: nil) { [weak self] context in
            if context.isCancelled { self?.userDismissal = nil }
        }
    }
}
