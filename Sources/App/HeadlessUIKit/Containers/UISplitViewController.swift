public import Foundation

/// A container that shows two controllers side by side: a list, and what is selected in it. Where there is little room, it
/// collapses into one column.
///
/// It is collapsed in a window whose ``UITraitOverrides/horizontalSizeClass`` is compact. A window in which no test sets
/// one has room for both columns.
///
/// Follows [UISplitViewController](https://developer.apple.com/documentation/uikit/uisplitviewcontroller).
@MainActor
open class UISplitViewController: UIViewController {
    private var columns: [UIViewController] = []
    /// Whether only one column is shown.
    ///
    /// Follows [isCollapsed](https://developer.apple.com/documentation/uikit/uisplitviewcontroller/iscollapsed).
    open private(set) var isCollapsed = false
    /// The object that decides what a collapse does with the secondary controller.
    ///
    /// Follows [delegate](https://developer.apple.com/documentation/uikit/uisplitviewcontroller/delegate).
    open weak var delegate: (any UISplitViewControllerDelegate)?

    /// The controllers of the columns, the primary one first and the secondary one last; "when the split view interface is
    /// collapsed, the array contains only one view controller".
    ///
    /// Follows [viewControllers](https://developer.apple.com/documentation/uikit/uisplitviewcontroller/viewcontrollers).
    open var viewControllers: [UIViewController] {
        get { columns }
        set {
            show(newValue)
            if isCollapsed, columns.count > 1 { collapse() }
        }
    }

    override func viewMovedToWindow() {
        super.viewMovedToWindow()
        adapt()
        for controller in columns { showView(of: controller) }
    }

    /// Collapses or expands as the window says.
    func adapt() {
        guard let window = viewIfLoaded?.window else { return }
        let isCompact = window.traitOverrides.horizontalSizeClass == .compact
        guard isCompact != isCollapsed else { return }
        isCollapsed = isCompact
        if isCompact { collapse() } else { expand() }
    }

    private func show(_ controllers: [UIViewController]) {
        let old = columns
        columns = controllers
        for controller in old where !controllers.contains(where: { $0 === controller }) && controller.parent === self {
            controller.willMove(toParent: nil)
            controller.viewIfLoaded?.removeFromSuperview()
            controller.removeFromParent()
        }
        for controller in controllers where controller.parent !== self {
            addChild(controller)
            controller.didMove(toParent: self)
            showView(of: controller)
        }
    }

    /// "The UINavigationController class responds by pushing the secondary view controller onto its navigation stack."
    private func collapse() {
        guard columns.count > 1, let primary = columns.first, let secondary = columns.last else { return }
        let isHandled =
            delegate?.splitViewController(self, collapseSecondary: secondary, onto: primary) ?? false
        if !isHandled, let stack = primary as? UINavigationController { stack.takeOver(secondary) }
        show([primary])
    }

    /// "The UINavigationController class responds by popping and returning the view controller from the top of its
    /// navigation stack."
    private func expand() {
        guard let primary = columns.first else { return }
        let separated = delegate?.splitViewController(self, separateSecondaryFrom: primary)
        guard let secondary = separated ?? (primary as? UINavigationController)?.giveUpTop() else { return }
        show([primary, secondary])
    }
}

/// Decides what happens when a split view collapses and expands. Every method may be left out, as in UIKit.
///
/// Follows [UISplitViewControllerDelegate](https://developer.apple.com/documentation/uikit/uisplitviewcontrollerdelegate).
@MainActor
public protocol UISplitViewControllerDelegate: NSObjectProtocol {
    /// Whether the delegate has put the secondary controller away itself. `false` pushes it onto the primary stack.
    func splitViewController(
        _ splitViewController: UISplitViewController,
        collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool
    /// The controller for the secondary column. `nil` takes the top of the primary stack.
    func splitViewController(
        _ splitViewController: UISplitViewController,
        separateSecondaryFrom primaryViewController: UIViewController
    ) -> UIViewController?
}

extension UISplitViewControllerDelegate {
    /// Leaves it to the primary controller.
    public func splitViewController(
        _ splitViewController: UISplitViewController,
        collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool { false }
    /// Leaves it to the primary controller.
    public func splitViewController(
        _ splitViewController: UISplitViewController,
        separateSecondaryFrom primaryViewController: UIViewController
    ) -> UIViewController? { nil }
}
