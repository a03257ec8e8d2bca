public import Foundation

/// A container that shows the last of a stack of controllers.
///
/// Follows [UINavigationController](https://developer.apple.com/documentation/uikit/uinavigationcontroller). The stack
/// changes at once; an animated change is a transition that ends on a later turn of the main actor, one that is not
/// animated ends before the call returns. A change while another is running ends that one first.
@MainActor
open class UINavigationController: UIViewController {
    private var stack: [UIViewController] = []
    private var stackTransition: HeadlessTransition?
    override var ownTransition: HeadlessTransition? { stackTransition ?? super.ownTransition }

    /// Who hears which controller is shown.
    ///
    /// Follows [delegate](https://developer.apple.com/documentation/uikit/uinavigationcontroller/delegate).
    public weak var delegate: (any UINavigationControllerDelegate)?

    /// Creates a navigation controller with an empty stack.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    /// Always `nil`: there are no storyboards here.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Creates a navigation controller whose stack has one controller.
    ///
    /// Follows [init(rootViewController:)](https://developer.apple.com/documentation/uikit/uinavigationcontroller/init(rootviewcontroller:)).
    public convenience init(rootViewController: UIViewController) {
        self.init(nibName: nil, bundle: nil)
        viewControllers = [rootViewController]
    }

    /// The stack, the root first. Setting it is ``setViewControllers(_:animated:)`` without animation.
    ///
    /// Follows [viewControllers](https://developer.apple.com/documentation/uikit/uinavigationcontroller/viewcontrollers).
    open var viewControllers: [UIViewController] {
        get { stack }
        set { setViewControllers(newValue, animated: false) }
    }

    /// The controller at the top of the stack.
    ///
    /// Follows [topViewController](https://developer.apple.com/documentation/uikit/uinavigationcontroller/topviewcontroller).
    open var topViewController: UIViewController? { stack.last }

    /// Replaces the whole stack. One controller at two places in it stops the program, where UIKit raises.
    ///
    /// Follows [setViewControllers(_:animated:)](https://developer.apple.com/documentation/uikit/uinavigationcontroller/setviewcontrollers(_:animated:)).
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        precondition(
            Set(viewControllers.map(ObjectIdentifier.init)).count == viewControllers.count,
            "All view controllers in a navigation controller must be distinct"
        )
        change(to: viewControllers, animated: animated).run(animated: animated)
    }

    /// Puts a controller on top of the stack. One that is in the stack, or is a navigation controller, stops the
    /// program, where UIKit raises.
    ///
    /// Follows [pushViewController(_:animated:)](https://developer.apple.com/documentation/uikit/uinavigationcontroller/pushviewcontroller(_:animated:)).
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        precondition(
            !(viewController is UINavigationController),
            "Pushing a navigation controller is not supported"
        )
        precondition(
            !stack.contains { $0 === viewController },
            "Pushing the same view controller instance more than once is not supported: \(viewController)"
        )
        change(to: stack + [viewController], animated: animated).run(animated: animated)
    }

    /// Takes the top controller off the stack and returns it. "You cannot pop the root view controller": then nothing
    /// happens and the answer is `nil`.
    ///
    /// Follows [popViewController(animated:)](https://developer.apple.com/documentation/uikit/uinavigationcontroller/popviewcontroller(animated:)).
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard stack.count > 1 else { return nil }
        let popped = stack.last
        beginPop(isInteractive: false, animated: animated)?.run(animated: animated)
        return popped
    }

    /// Begins to pop; `nil` at the root. The stack is the shorter one from now on, and the old one again after a
    /// cancelled swipe.
    func beginPop(isInteractive: Bool, animated: Bool) -> HeadlessTransition? {
        guard stack.count > 1 else { return nil }
        return change(to: Array(stack.dropLast()), animated: animated, isInteractive: isInteractive)
    }

    private func change(
        to newStack: [UIViewController],
        animated: Bool,
        isInteractive: Bool = false
    ) -> HeadlessTransition {
        stackTransition?.finish()
        let oldStack = stack
        let shown = newStack.last === oldStack.last ? nil : newStack.last
        install(newStack)
        let transition = HeadlessTransition(isInteractive: isInteractive) { isCancelled in
            self.stackTransition = nil
            if isCancelled {
                self.install(oldStack)
            } else if let shown {
                self.delegate?.navigationController(self, didShow: shown, animated: animated)
            }
        }
        stackTransition = transition
        if let shown { delegate?.navigationController(self, willShow: shown, animated: animated) }
        return transition
    }

    private func install(_ newStack: [UIViewController]) {
        let oldStack = stack
        stack = newStack
        for controller in oldStack where !newStack.contains(where: { $0 === controller }) {
            controller.willMove(toParent: nil)
            controller.removeFromParent()
        }
        for controller in newStack where controller.parent !== self {
            addChild(controller)
            controller.didMove(toParent: self)
        }
    }
}
