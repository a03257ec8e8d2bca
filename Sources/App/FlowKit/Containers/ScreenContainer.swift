public import UIPlatform

/// A controller that shows other controllers and is not a screen itself.
///
/// Navigation and tab bar controllers conform. Conform your own containers, so that the screens in them are found:
///
/// ```swift
/// extension UISplitViewController: ScreenContainer {
///     public var shownViewController: UIViewController? { viewControllers.last }
/// }
/// ```
@MainActor
public protocol ScreenContainer: UIViewController {
    /// The contained controller that the user sees.
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
    /// The controller that a container of this class shows. Faster than a dynamic cast if the class is known.
    package static func shownViewController(in container: UIViewController) -> UIViewController? {
        (container as? Self)?.shownViewController
    }
}
