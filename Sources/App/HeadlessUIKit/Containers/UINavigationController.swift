public import Foundation

/// A container that shows the last controller of a stack.
///
/// Follows [UINavigationController](https://developer.apple.com/documentation/uikit/uinavigationcontroller). The stack
/// changes immediately. An animated change is a transition that ends on a later turn of the main actor; a change without
/// animation ends before the call returns. A change during a transition ends that transition first. The view of a
/// controller is loaded when it is the top of a stack in a window.
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
        // "Some system-provided view controllers, such as UINavigationController, change the default value to true."
        definesPresentationContext = true
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

    /// The controller that the user sees: the presented one, or the top of the stack.
    ///
    /// Follows [visibleViewController](https://developer.apple.com/documentation/uikit/uinavigationcontroller/visibleviewcontroller).
    open var visibleViewController: UIViewController? {
        var visible = presentedViewController
        while let next = visible?.presentedViewController { visible = next }
        return visible ?? topViewController
    }

    /// Replaces the whole stack. A controller that is in it twice stops the program, where UIKit raises.
    ///
    /// Follows [setViewControllers(_:animated:)](https://developer.apple.com/documentation/uikit/uinavigationcontroller/setviewcontrollers(_:animated:)).
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        precondition(
            Set(viewControllers.map(ObjectIdentifier.init)).count == viewControllers.count,
            "All view controllers in a navigation controller must be distinct"
        )
        change(to: viewControllers, animated: animated).run(animated: animated)
    }

    /// Pushes a controller. One that is in the stack, or is a navigation controller, stops the
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

    /// Pops the top controller and returns it. "You cannot pop the root view controller": with only the root, nothing
    /// happens and the result is `nil`.
    ///
    /// Follows [popViewController(animated:)](https://developer.apple.com/documentation/uikit/uinavigationcontroller/popviewcontroller(animated:)).
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard stack.count > 1 else { return nil }
        let popped = stack.last
        beginPop(isInteractive: false, animated: animated)?.run(animated: animated)
        return popped
    }

    /// Pops all controllers but the root, and returns them.
    ///
    /// Follows [popToRootViewController(animated:)](https://developer.apple.com/documentation/uikit/uinavigationcontroller/poptorootviewcontroller(animated:)).
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        guard stack.count > 1, let root = stack.first else { return nil }
        let popped = Array(stack.dropFirst())
        change(to: [root], animated: animated).run(animated: animated)
        return popped
    }

    /// Pops controllers until the given one is at the top. One that is not in the stack stops the program, where UIKit
    /// raises.
    ///
    /// Follows [popToViewController(_:animated:)](https://developer.apple.com/documentation/uikit/uinavigationcontroller/poptoviewcontroller(_:animated:)).
    @discardableResult
    open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
        guard let index = stack.firstIndex(where: { $0 === viewController }) else {
            preconditionFailure("Tried to pop to a view controller that doesn't exist.")
        }
        let popped = Array(stack.dropFirst(index + 1))
        guard !popped.isEmpty else { return nil }
        change(to: Array(stack.prefix(index + 1)), animated: animated).run(animated: animated)
        return popped
    }

    override func viewMovedToWindow() {
        super.viewMovedToWindow()
        if let top = stack.last { showView(of: top) }
    }

    /// Begins to pop; `nil` at the root. The stack is the shorter one from now on, and the old one again after a
    /// canceled swipe.
    func beginPop(isInteractive: Bool, animated: Bool) -> HeadlessTransition? {
        guard stack.count > 1 else { return nil }
        return change(to: Array(stack.dropLast()), animated: animated, isInteractive: isInteractive)
    }

    /// Takes a controller from another container onto the stack, as a split view that collapses and a tab bar do: a
    /// navigation controller, too. Its view moves without leaving the window.
    func takeOver(_ controller: UIViewController) {
        stackTransition?.finish()
        let covered = stack.last
        stack = stack + [controller]
        addChild(controller)
        controller.didMove(toParent: self)
        delegate?.navigationController(self, willShow: controller, animated: false)
        showView(of: controller)
        covered?.viewIfLoaded?.removeFromSuperview()
        delegate?.navigationController(self, didShow: controller, animated: false)
    }

    /// Takes the top off the stack, for another container that shows it next; `nil` at the root. Its view stays where it is
    /// until then.
    func giveUpTop() -> UIViewController? {
        stackTransition?.finish()
        guard stack.count > 1, let top = stack.last else { return nil }
        stack = Array(stack.dropLast())
        if let shown = stack.last { showView(of: shown) }
        return top
    }

    private func change(
        to newStack: [UIViewController],
        animated: Bool,
        isInteractive: Bool = false
    ) -> HeadlessTransition {
        stackTransition?.finish()
        let oldStack = stack
        let old = oldStack.last
        let shown = newStack.last === old ? nil : newStack.last
        let isOnScreen = viewIfLoaded?.window != nil
        install(newStack)
        let transition = HeadlessTransition(isInteractive: isInteractive, isAnimated: animated) { isCancelled in
            self.stackTransition = nil
            if isCancelled {
                self.install(oldStack)
                if let shown { self.exchange(shown, for: old, animated: animated) }
            } else if let shown {
                self.finishExchange(of: old, for: shown, animated: animated)
                self.delegate?.navigationController(self, didShow: shown, animated: animated)
            }
        }
        stackTransition = transition
        if isOnScreen, let shown {
            old?.beginAppearance(false, animated: animated)
            shown.beginAppearance(true, animated: animated)
            showView(of: shown)
        }
        if let shown { delegate?.navigationController(self, willShow: shown, animated: animated) }
        return transition
    }

    private func exchange(_ gone: UIViewController, for back: UIViewController?, animated: Bool) {
        gone.beginAppearance(false, animated: animated)
        back?.beginAppearance(true, animated: animated)
        finishExchange(of: gone, for: back, animated: animated)
    }

    private func finishExchange(of gone: UIViewController?, for shown: UIViewController?, animated: Bool) {
        gone?.viewIfLoaded?.removeFromSuperview()
        gone?.endAppearance(animated: animated)
        shown?.endAppearance(animated: animated)
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
