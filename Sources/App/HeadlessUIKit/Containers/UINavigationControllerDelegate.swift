public import Foundation

/// Hears which controller a navigation controller shows, whatever code changed the stack.
///
/// Follows [UINavigationControllerDelegate](https://developer.apple.com/documentation/uikit/uinavigationcontrollerdelegate).
/// Every method may be left out, as in UIKit.
@MainActor
public protocol UINavigationControllerDelegate: NSObjectProtocol {
    /// A transition to the controller begins. After a canceled swipe there is no
    /// ``navigationController(_:didShow:animated:)``.
    func navigationController(
        _ navigationController: UINavigationController,
        willShow viewController: UIViewController,
        animated: Bool
    )
    /// The transition to the controller has ended.
    func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    )
}

extension UINavigationControllerDelegate {
    /// Does nothing.
    public func navigationController(
        _ navigationController: UINavigationController,
        willShow viewController: UIViewController,
        animated: Bool
    ) {}
    /// Does nothing.
    public func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    ) {}
}
