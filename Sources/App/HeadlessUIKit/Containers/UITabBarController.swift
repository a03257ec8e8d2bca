public import Foundation

/// A container that shows one of several controllers. The user selects which.
///
/// Follows [UITabBarController](https://developer.apple.com/documentation/uikit/uitabbarcontroller).
@MainActor
open class UITabBarController: UIViewController {
    /// The object that hears which tab the user selects.
    ///
    /// Follows [delegate](https://developer.apple.com/documentation/uikit/uitabbarcontroller/delegate).
    public weak var delegate: (any UITabBarControllerDelegate)?

    /// The controllers, one for each tab. After a change the selected controller stays selected if it is still there;
    /// otherwise the first one is selected.
    ///
    /// Follows [viewControllers](https://developer.apple.com/documentation/uikit/uitabbarcontroller/viewcontrollers).
    open var viewControllers: [UIViewController]? {
        didSet {
            let controllers = viewControllers ?? []
            for controller in oldValue ?? [] where !controllers.contains(where: { $0 === controller }) {
                controller.willMove(toParent: nil)
                controller.viewIfLoaded?.removeFromSuperview()
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

    /// The controller of the selected tab. Setting it calls no delegate. A controller without a tab is ignored.
    ///
    /// Follows [selectedViewController](https://developer.apple.com/documentation/uikit/uitabbarcontroller/selectedviewcontroller).
    open var selectedViewController: UIViewController? {
        didSet {
            let isKnown = viewControllers?.contains { $0 === selectedViewController } ?? false
            if !isKnown, selectedViewController != nil {
                selectedViewController = oldValue
            } else if selectedViewController !== oldValue {
                if let selectedViewController { showView(of: selectedViewController) }
                oldValue?.viewIfLoaded?.removeFromSuperview()
            }
        }
    }

    override func viewMovedToWindow() {
        super.viewMovedToWindow()
        if let selectedViewController { showView(of: selectedViewController) }
    }

    /// The index of the selected tab, or `NSNotFound`.
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

/// Hears which tab the user selects. Nothing is called for a selection that the app makes.
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
