public import Foundation

/// A container that shows one of several controllers, which the user selects.
///
/// Follows [UITabBarController](https://developer.apple.com/documentation/uikit/uitabbarcontroller).
@MainActor
open class UITabBarController: UIViewController {
    /// Who hears which tab the user selects.
    ///
    /// Follows [delegate](https://developer.apple.com/documentation/uikit/uitabbarcontroller/delegate).
    public weak var delegate: (any UITabBarControllerDelegate)?

    /// The controllers, one for each tab. After a change the selected one stays selected where it is still there; else
    /// the first is.
    ///
    /// Follows [viewControllers](https://developer.apple.com/documentation/uikit/uitabbarcontroller/viewcontrollers).
    open var viewControllers: [UIViewController]? {
        didSet {
            let controllers = viewControllers ?? []
            for controller in oldValue ?? [] where !controllers.contains(where: { $0 === controller }) {
                controller.willMove(toParent: nil)
                controller.removeFromParent()
            }
            for controller in controllers where controller.parent !== self {
                addChild(controller)
                controller.didMove(toParent: self)
            }
            if !controllers.contains(where: { $0 === selectedViewController }) {
                selectedViewController = controllers.first
            }
        }
    }

    /// The controller that is shown. Setting it tells no delegate, and one that has no tab is ignored.
    ///
    /// Follows [selectedViewController](https://developer.apple.com/documentation/uikit/uitabbarcontroller/selectedviewcontroller).
    open var selectedViewController: UIViewController? {
        didSet {
            let isKnown = viewControllers?.contains { $0 === selectedViewController } ?? false
            if !isKnown, selectedViewController != nil { selectedViewController = oldValue }
        }
    }

    /// The index of the controller that is shown, `NSNotFound` where there is none.
    ///
    /// Follows [selectedIndex](https://developer.apple.com/documentation/uikit/uitabbarcontroller/selectedindex).
    open var selectedIndex: Int {
        get { viewControllers?.firstIndex { $0 === selectedViewController } ?? NSNotFound }
        set {
            guard let viewControllers, viewControllers.indices.contains(newValue) else { return }
            selectedViewController = viewControllers[newValue]
        }
    }
}

/// Who hears which tab the user selects. Nothing is called for a selection that the app makes.
///
/// Follows [UITabBarControllerDelegate](https://developer.apple.com/documentation/uikit/uitabbarcontrollerdelegate).
/// Every method may be left out, as in UIKit.
@MainActor
public protocol UITabBarControllerDelegate: NSObjectProtocol {
    /// Whether the user may select the tab.
    func tabBarController(_ tabBarController: UITabBarController, shouldSelect viewController: UIViewController) -> Bool
    /// The user has tapped the tab, also where it was selected already.
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
    /// Allows it.
    public func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelect viewController: UIViewController
    ) -> Bool { true }
    /// Does nothing.
    public func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {}
}
