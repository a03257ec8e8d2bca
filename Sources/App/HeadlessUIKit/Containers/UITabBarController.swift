public import Foundation

/// A container that shows one of several controllers. The user selects which.
///
/// On an iPhone, the bar has room for five tabs. With more controllers, the fifth tab is More: a list of the controllers
/// from the fifth on, in ``moreNavigationController``, which shows what the user selects there.
///
/// Follows [UITabBarController](https://developer.apple.com/documentation/uikit/uitabbarcontroller).
@MainActor
open class UITabBarController: UIViewController {
    private static let room = 5

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
                if controller === displayedInMore { leaveMore() }
                guard controller.parent === self else { continue }
                controller.willMove(toParent: nil)
                controller.viewIfLoaded?.removeFromSuperview()
                controller.removeFromParent()
            }
            for controller in controllers where controller.parent !== self && controller !== displayedInMore {
                adopt(controller)
            }
            if !isSelectable(selected) {
                selectedViewController = controllers.first
            } else if let selected {
                // It may have moved into More, or out of it.
                show(selected)
            }
        }
    }

    /// The controller of the selected tab, also where that is in More; ``moreNavigationController`` while its list is in
    /// front. Setting it calls no delegate. A controller without a tab is ignored.
    ///
    /// Follows [selectedViewController](https://developer.apple.com/documentation/uikit/uitabbarcontroller/selectedviewcontroller).
    open var selectedViewController: UIViewController? {
        get { shownChild === moreIfMade && displayedInMore == nil ? moreIfMade ?? selected : selected }
        set {
            guard newValue == nil || isSelectable(newValue), newValue !== selectedViewController else { return }
            selected = newValue
            if let newValue {
                show(newValue)
            } else {
                shownChild?.viewIfLoaded?.removeFromSuperview()
                shownChild = nil
            }
        }
    }
    private var selected: UIViewController?
    /// The child whose view is shown: the selected controller, or the navigation controller of More.
    private(set) var shownChild: UIViewController?

    private var moreIfMade: UINavigationController?
    /// The controller that the user has selected in the list of More, until the user goes back to it.
    private var displayedInMore: UIViewController? {
        guard let moreIfMade, moreIfMade.viewControllers.count > 1 else { return nil }
        return moreIfMade.viewControllers[1]
    }

    /// Shows the controllers for which the bar has no room. It is not one of ``viewControllers``.
    ///
    /// Follows [moreNavigationController](https://developer.apple.com/documentation/uikit/uitabbarcontroller/morenavigationcontroller).
    open var moreNavigationController: UINavigationController {
        if let moreIfMade { return moreIfMade }
        let made = UINavigationController(rootViewController: UIMoreListController())
        moreIfMade = made
        return made
    }

    override func viewMovedToWindow() {
        super.viewMovedToWindow()
        if let selected { show(selected) }
    }

    /// The index of the selected tab, or `NSNotFound`, as while the list of More is in front.
    ///
    /// Follows [selectedIndex](https://developer.apple.com/documentation/uikit/uitabbarcontroller/selectedindex).
    open var selectedIndex: Int {
        get { viewControllers?.firstIndex { $0 === selectedViewController } ?? NSNotFound }
        set {
            guard let viewControllers, viewControllers.indices.contains(newValue) else { return }
            selectedViewController = viewControllers[newValue]
        }
    }

    private func isSelectable(_ controller: UIViewController?) -> Bool {
        guard let controller else { return false }
        return controller === moreIfMade || viewControllers?.contains { $0 === controller } == true
    }

    /// Whether a controller is in More, for which the bar of a phone has no room.
    private func isInMore(_ controller: UIViewController) -> Bool {
        guard let viewControllers, viewControllers.count > Self.room,
            viewIfLoaded?.window?.traitOverrides.userInterfaceIdiom != .pad
        else { return false }
        return viewControllers.dropFirst(Self.room - 1).contains { $0 === controller }
    }

    private func adopt(_ controller: UIViewController) {
        addChild(controller)
        controller.didMove(toParent: self)
    }

    private func show(_ controller: UIViewController) {
        if controller === moreIfMade {
            leaveMore()
            exchange(for: controller)
        } else if isInMore(controller) {
            let more = moreNavigationController
            if more.parent !== self { adopt(more) }
            if displayedInMore !== controller { leaveMore() }
            exchange(for: more, keeping: controller)
            if displayedInMore == nil { more.takeOver(controller) }
        } else {
            if displayedInMore === controller {
                // Out of More: its view moves without leaving the window.
                _ = moreIfMade?.giveUpTop()
                adopt(controller)
            }
            exchange(for: controller)
        }
    }

    /// The list of More is in front again; what was selected there is a child of this controller, as the others are.
    private func leaveMore() {
        guard let moreIfMade, let displayed = displayedInMore else { return }
        moreIfMade.popToRootViewController(animated: false)
        if viewControllers?.contains(where: { $0 === displayed }) == true { adopt(displayed) }
    }

    /// - Parameter next: the controller that moves into the shown one with its view, if any.
    private func exchange(for shown: UIViewController, keeping next: UIViewController? = nil) {
        let old = shownChild
        shownChild = shown
        showView(of: shown)
        if let old, old !== shown, old !== next { old.viewIfLoaded?.removeFromSuperview() }
    }
}

/// The list of what is in More. Private to UIKit, which shows it as the root of
/// ``UITabBarController/moreNavigationController``.
final class UIMoreListController: UIViewController {}

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
