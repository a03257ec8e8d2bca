public import UIPlatform

/// A controller that shows others and is no screen of its own.
///
/// Navigation and tab bar controllers are. Say it of a container of your own, so that its screens are found in it:
///
/// ```swift
/// extension UISplitViewController: ScreenContainer {
///     public var shownViewController: UIViewController? { viewControllers.last }
/// }
/// ```
@MainActor
public protocol ScreenContainer: UIViewController {
    /// The controller in it that the user looks at.
    var shownViewController: UIViewController? { get }
}

extension UINavigationController: ScreenContainer {
    /// The top of the stack.
    public var shownViewController: UIViewController? { topViewController }
}

extension UITabBarController: ScreenContainer {
    /// The selected tab's controller.
    public var shownViewController: UIViewController? { selectedViewController }
}

extension ScreenContainer {
    /// What a container of this class shows: for whoever knows its class already, since finding that out takes long.
    package static func shownViewController(in container: UIViewController) -> UIViewController? {
        (container as? Self)?.shownViewController
    }
}
