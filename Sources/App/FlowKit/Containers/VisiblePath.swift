import UIPlatform

/// The way from a window's root to what its user looks at.
@MainActor
struct VisiblePath {
    /// The visible screen, behind an alert where there is one.
    private(set) var front: UIViewController
    /// The frontmost controller that is presented, alerts aside.
    private(set) var presented: UIViewController?
    /// The alert in front of everything.
    private(set) var alert: UIAlertController?
    /// The navigation controller around the visible screen, within its presentation.
    private(set) var stack: UINavigationController?
    /// The tab bar around the visible screen, within its presentation.
    private(set) var tabs: UITabBarController?
    /// Whether a presentation or a dismissal runs.
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
                    stack = nil
                    tabs = nil
                    front = next
                    continue
                }
            }
            stack = front as? UINavigationController ?? stack
            tabs = front as? UITabBarController ?? tabs
            guard let shown = (front as? any ScreenContainer)?.shownViewController else { return }
            front = shown
        }
    }
}
