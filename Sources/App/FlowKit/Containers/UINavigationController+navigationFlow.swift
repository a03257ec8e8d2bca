public import UIPlatform

extension UINavigationController {
    /// A flow over the stack: presenting pushes, replacing replaces the top, dismissing pops.
    ///
    /// Its current view controller is the top of the stack, whatever code changed the stack. During a swipe back it is the
    /// controller below the top, as in UIKit; after a canceled swipe it is the top again.
    ///
    /// The flow refuses a controller that is already contained or presented, and a navigation or tab bar controller, for
    /// which UIKit raises. Nothing happens then. Replacing in an empty stack sets the root. The flow never dismisses the
    /// root. It presents an alert over the stack instead of pushing it. The flow does not keep the navigation controller
    /// alive, and does nothing after it is gone.
    public var navigationFlow: Flow {
        Flow(
            presentViewController: { [weak self] controller, animated, completion in
                if let self, controller is UIAlertController {
                    presentModally(controller, animated: animated, completion: completion)
                    return
                }
                guard let self, canPush(controller) else {
                    completion?()
                    return
                }
                pushViewController(controller, animated: animated)
                afterTransition(animated: animated, completion)
            },
            replaceViewController: { [weak self] controller, animated in
                guard let self, canPush(controller) else { return }
                setViewControllers(viewControllers.dropLast() + [controller], animated: animated)
            },
            dismissViewController: { [weak self] animated, completion in
                guard let self, popViewController(animated: animated) != nil else {
                    completion?()
                    return
                }
                afterTransition(animated: animated, completion)
            },
            currentViewController: { [weak self] in self?.topViewController }
        )
    }

    private func canPush(_ controller: UIViewController) -> Bool {
        !controller.isInHierarchy && !controller.isAncestor(of: self)
            && !controller.isBarContainer && !(controller is UIAlertController)
    }
}
