import UIPlatform

/// The controllers between a window's root and the screen that the user sees.
@MainActor
struct VisiblePath {
    /// The visible screen, behind a possible alert.
    private(set) var front: UIViewController
    /// The frontmost presented controller that is not an alert.
    private(set) var presented: UIViewController?
    /// The frontmost alert.
    private(set) var alert: UIAlertController?
    /// The navigation controller around the visible screen, within its presentation.
    private(set) var stack: UINavigationController?
    /// The nearest navigation controller around or beneath the visible screen.
    private(set) var nearestStack: UINavigationController?
    /// The tab bar around the visible screen, within its presentation.
    private(set) var tabs: UITabBarController?
    /// Whether a presentation or a dismissal is running.
    private(set) var isChanging = false

    init(from root: UIViewController) {
        front = root
        while true {
            if let next = front.presentedViewController {
                if next.isBeingPresented || next.isBeingDismissed { isChanging = true }
                if let alert = next as? UIAlertController {
                    self.alert = alert
                } else {
                    presented = next
                    nearestStack = Self.stack(in: front) ?? nearestStack
                    stack = nil
                    tabs = nil
                    front = next
                    continue
                }
            }
            if let navigation = front as? UINavigationController {
                stack = navigation
                nearestStack = navigation
            }
            tabs = front as? UITabBarController ?? tabs
            guard let shown = (front as? any ScreenContainer)?.shownViewController else { return }
            front = shown
        }
    }

    /// The innermost navigation controller that a controller is or shows.
    private static func stack(in controller: UIViewController) -> UINavigationController? {
        let shown = (controller as? any ScreenContainer)?.shownViewController
        return shown.flatMap(stack(in:)) ?? controller as? UINavigationController
    }
}
