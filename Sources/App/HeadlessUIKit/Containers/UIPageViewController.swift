public import Foundation

/// A container whose pages the user turns.
///
/// Follows [UIPageViewController](https://developer.apple.com/documentation/uikit/uipageviewcontroller). As with UIKit's
/// scrolling style, a turn loads the next page, and the page before stays in the window.
@MainActor
open class UIPageViewController: UIViewController {
    /// The direction of a turn.
    ///
    /// Follows [UIPageViewController.NavigationDirection](https://developer.apple.com/documentation/uikit/uipageviewcontroller/navigationdirection).
    public enum NavigationDirection: Int, Sendable {
        /// To the next page.
        case forward = 0
        /// To the page before.
        case reverse = 1
    }

    private var page: UIViewController?
    private var turn: HeadlessTransition?
    override var ownTransition: HeadlessTransition? { turn ?? super.ownTransition }

    /// The object that supplies the pages.
    ///
    /// Follows [dataSource](https://developer.apple.com/documentation/uikit/uipageviewcontroller/datasource).
    open weak var dataSource: (any UIPageViewControllerDataSource)?
    /// The object that hears of the user's turns.
    ///
    /// Follows [delegate](https://developer.apple.com/documentation/uikit/uipageviewcontroller/delegate).
    open weak var delegate: (any UIPageViewControllerDelegate)?

    /// The pages on screen: one here.
    ///
    /// Follows [viewControllers](https://developer.apple.com/documentation/uikit/uipageviewcontroller/viewcontrollers).
    open var viewControllers: [UIViewController]? { page.map { [$0] } }

    /// Shows a page. Calls no delegate.
    ///
    /// Follows [setViewControllers(_:direction:animated:completion:)](https://developer.apple.com/documentation/uikit/uipageviewcontroller/setviewcontrollers(_:direction:animated:completion:)).
    open func setViewControllers(
        _ viewControllers: [UIViewController]?,
        direction: NavigationDirection,
        animated: Bool,
        completion: ((Bool) -> Void)? = nil
    ) {
        let old = page
        show(viewControllers?.first)
        if old !== page { removePage(old) }
        completion?(true)
    }

    /// Begins a turn by the user's finger; `nil` without a page in that direction.
    func beginTurn(_ direction: NavigationDirection) -> HeadlessTransition? {
        guard let old = page, let dataSource else { return nil }
        let next =
            direction == .forward
            ? dataSource.pageViewController(self, viewControllerAfter: old)
            : dataSource.pageViewController(self, viewControllerBefore: old)
        guard let next else { return nil }
        if next.parent !== self {
            addChild(next)
            next.didMove(toParent: self)
        }
        showView(of: next)
        let transition = HeadlessTransition(isInteractive: true, isAnimated: false) { isCancelled in
            self.turn = nil
            if !isCancelled { self.page = next }
            self.delegate?.pageViewController(
                self,
                didFinishAnimating: true,
                previousViewControllers: [old],
                transitionCompleted: !isCancelled
            )
        }
        turn = transition
        return transition
    }

    override func viewMovedToWindow() {
        super.viewMovedToWindow()
        if let page { showView(of: page) }
    }

    private func show(_ controller: UIViewController?) {
        page = controller
        guard let controller else { return }
        if controller.parent !== self {
            addChild(controller)
            controller.didMove(toParent: self)
        }
        showView(of: controller)
    }

    private func removePage(_ controller: UIViewController?) {
        controller?.willMove(toParent: nil)
        controller?.viewIfLoaded?.removeFromSuperview()
        controller?.removeFromParent()
    }
}

/// Supplies the pages of a page controller.
///
/// Follows [UIPageViewControllerDataSource](https://developer.apple.com/documentation/uikit/uipageviewcontrollerdatasource).
@MainActor
public protocol UIPageViewControllerDataSource: NSObjectProtocol {
    /// The page before another one.
    func pageViewController(
        _ pageViewController: UIPageViewController,
        viewControllerBefore viewController: UIViewController
    ) -> UIViewController?
    /// The page after another one.
    func pageViewController(
        _ pageViewController: UIPageViewController,
        viewControllerAfter viewController: UIViewController
    ) -> UIViewController?
}

/// Hears of the user's turns.
///
/// Follows [UIPageViewControllerDelegate](https://developer.apple.com/documentation/uikit/uipageviewcontrollerdelegate).
@MainActor
public protocol UIPageViewControllerDelegate: NSObjectProtocol {
    /// A turn has ended, or the user has turned back.
    func pageViewController(
        _ pageViewController: UIPageViewController,
        didFinishAnimating finished: Bool,
        previousViewControllers: [UIViewController],
        transitionCompleted completed: Bool
    )
}

extension UIPageViewControllerDelegate {
    /// Does nothing.
    public func pageViewController(
        _ pageViewController: UIPageViewController,
        didFinishAnimating finished: Bool,
        previousViewControllers: [UIViewController],
        transitionCompleted completed: Bool
    ) {}
}
