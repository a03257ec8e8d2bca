public import UIPlatform

/// A controller that shows other controllers and is not a screen itself.
///
/// UIKit's containers conform. Conform your own, so that the screens in them are found:
///
/// ```swift
/// extension DrawerController: ScreenContainer {
///     var shownViewController: UIViewController? { isOpen ? menu : content }
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
    /// The selected tab's controller; where that is in More, the navigation controller of More, which may have pushed more.
    public var shownViewController: UIViewController? {
        guard let selected = selectedViewController, selected.parent !== self else { return selectedViewController }
        let more = moreNavigationController
        return more.viewControllers.contains(selected) ? more : selected
    }
}

extension UISplitViewController: ScreenContainer {
    /// The controller of the secondary column; in a collapsed split view, the only one.
    public var shownViewController: UIViewController? { viewControllers.last }
}

extension UIPageViewController: ScreenContainer {
    /// The page on screen.
    public var shownViewController: UIViewController? { viewControllers?.first }
}

extension UISearchController: ScreenContainer {
    /// The controller of the results while it shows any: UIKit hides its view until there is text. Without one, the searched
    /// screen shows them itself and stays current.
    public var shownViewController: UIViewController? {
        guard let searchResultsController, let view = searchResultsController.viewIfLoaded, view.window != nil,
            !view.isHidden
        else { return nil }
        return searchResultsController
    }
}

extension ScreenContainer {
    /// The controller that a container of this class shows. Faster than a dynamic cast if the class is known.
    package static func shownViewController(in container: UIViewController) -> UIViewController? {
        (container as? Self)?.shownViewController
    }
}
