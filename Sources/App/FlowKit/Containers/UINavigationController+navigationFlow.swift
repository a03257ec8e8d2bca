public import UIPlatform

extension UINavigationController {
    /// A flow over the stack: presenting pushes, replacing changes the top, dismissing pops.
    ///
    /// Its current view controller is the top of the stack, whoever changed the stack; during a swipe back it is the
    /// one below already, as UIKit has it, and again the top after a cancelled swipe.
    ///
    /// Refused, so that nothing happens: a controller that is contained or presented already, and a navigation or tab
    /// bar controller, for which UIKit raises. Replacing in an empty stack makes the root; the root itself is never
    /// dismissed. An alert is presented over the stack instead of being pushed. The flow does not keep the navigation controller alive, and does nothing when it is gone.
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
