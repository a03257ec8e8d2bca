/// The user of an app: does what UIKit lets a user do without the app's code.
///
/// UIKit has no such type; it is for tests, and for apps that run without a screen. Each action first waits for running
/// transitions, and its own transition has ended when the call returns.
///
/// ```swift
/// let user = HeadlessUser(in: window)
/// user.goBack()
/// user.swipeToDismiss()
/// user.beginSwipeBack()?.cancel()
/// ```
@MainActor
public struct HeadlessUser {
    private let root: () -> UIViewController?

    /// Creates the user of a window.
    public init(in window: UIWindow) {
        root = { [weak window] in window?.rootViewController }
    }

    /// Creates the user of a controller and everything on top of it.
    public init(at root: UIViewController) {
        self.root = { [weak root] in root }
    }

    /// The frontmost controller that is not one of UIKit's containers.
    public var screen: UIViewController? { path.last }

    /// Taps the back button. `false` where there is none: at the root of a stack, or outside of one.
    @discardableResult
    public func goBack() -> Bool {
        finishTransitions()
        guard let pop = frontStack?.beginPop(isInteractive: false, animated: true) else { return false }
        pop.finish()
        return true
    }

    /// Swipes back to the end. `false` where there is nothing to go back to.
    @discardableResult
    public func swipeBack() -> Bool {
        guard let swipe = beginSwipeBack() else { return false }
        swipe.finish()
        return true
    }

    /// Puts a finger on the left edge and begins to swipe back. `nil` where there is nothing to go back to.
    public func beginSwipeBack() -> HeadlessSwipe? {
        finishTransitions()
        return frontStack?.beginPop(isInteractive: true, animated: true).map { HeadlessSwipe(transition: $0) }
    }

    /// Swipes the frontmost presentation down to the end. `false` where nothing is presented, or the presentation's
    /// delegate does not allow it.
    @discardableResult
    public func swipeToDismiss() -> Bool {
        guard let swipe = beginSwipeToDismiss() else { return false }
        swipe.finish()
        return true
    }

    /// Begins to swipe the frontmost presentation down. `nil` where nothing is presented, where it is an alert, and where
    /// the presentation's delegate does not allow it.
    public func beginSwipeToDismiss() -> HeadlessSwipe? {
        finishTransitions()
        guard let presented = path.last(where: { $0.ownPresenter != nil }), presented.modalPresentationStyle.isSheet,
            !(presented is UIAlertController), let controller = presented.presentationController
        else { return nil }
        guard !presented.isModalInPresentation,
            controller.delegate?.presentationControllerShouldDismiss(controller) ?? true
        else {
            controller.delegate?.presentationControllerDidAttemptToDismiss(controller)
            return nil
        }
        let dismissal = presented.ownPresenter?.beginDismissal(isInteractive: true) {
            controller.delegate?.presentationControllerDidDismiss(controller)
        }
        if dismissal != nil { controller.delegate?.presentationControllerWillDismiss(controller) }
        return dismissal.map { HeadlessSwipe(transition: $0) }
    }

    /// Taps a tab of the frontmost tab bar. `false` where there is none, or its delegate does not allow it.
    @discardableResult
    public func selectTab(_ index: Int) -> Bool {
        finishTransitions()
        guard let tabs = path.last(where: { $0 is UITabBarController }) as? UITabBarController,
            let controllers = tabs.viewControllers, controllers.indices.contains(index),
            tabs.delegate?.tabBarController(tabs, shouldSelect: controllers[index]) ?? true
        else { return false }
        tabs.selectedIndex = index
        tabs.delegate?.tabBarController(tabs, didSelect: controllers[index])
        return true
    }

    /// Turns the page of the frontmost page controller. `false` without a page in that direction.
    @discardableResult
    public func turnPage(_ direction: UIPageViewController.NavigationDirection = .forward) -> Bool {
        guard let turn = beginTurn(direction) else { return false }
        turn.finish()
        return true
    }

    /// Begins to turn the page of the frontmost page controller. `nil` without a page in that direction.
    public func beginTurn(_ direction: UIPageViewController.NavigationDirection = .forward) -> HeadlessSwipe? {
        finishTransitions()
        let pages = path.last { $0 is UIPageViewController } as? UIPageViewController
        return pages?.beginTurn(direction).map { HeadlessSwipe(transition: $0) }
    }

    /// Waits for every transition to end, those included that the completions begin.
    public func finishTransitions() {
        while let transition = root().flatMap(Self.transition(under:)) { transition.finish() }
    }
}

extension HeadlessUser {
    /// The innermost stack of the frontmost presentation from which something can be popped: a stack may be on another one
    /// in a collapsed split view and in More.
    private var frontStack: UINavigationController? {
        for controller in path.reversed() {
            if let stack = controller as? UINavigationController, stack.viewControllers.count > 1 { return stack }
            if controller.ownPresenter != nil { return nil }
        }
        return nil
    }

    /// The controllers on the way from the root to what is in front.
    var path: [UIViewController] {
        var path: [UIViewController] = []
        var next = root()
        while let controller = next {
            path.append(controller)
            next = Self.presented(by: controller) ?? Self.shown(by: controller)
        }
        return path
    }

    /// What is presented in front of a controller. A search without results of its own is only a bar in front of what it
    /// searches, which the user sees and uses.
    private static func presented(by controller: UIViewController) -> UIViewController? {
        guard let search = controller.ownPresented as? UISearchController, search.searchResultsController == nil else {
            return controller.ownPresented
        }
        return search.ownPresented
    }

    private static func shown(by controller: UIViewController) -> UIViewController? {
        switch controller {
        case let stack as UINavigationController: stack.topViewController
        case let tabs as UITabBarController: tabs.shownChild
        case let pages as UIPageViewController: pages.viewControllers?.first
        case let search as UISearchController: search.searchResultsController
        case let split as UISplitViewController: split.viewControllers.last
        default: nil
        }
    }

    private static func transition(under controller: UIViewController) -> HeadlessTransition? {
        if let own = controller.ownTransition { return own }
        if let presented = controller.ownPresented, let found = transition(under: presented) { return found }
        return controller.children.lazy.compactMap(transition(under:)).first
    }
}
