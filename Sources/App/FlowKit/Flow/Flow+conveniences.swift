public import UIPlatform

@MainActor
extension Flow {
    /// Shows a controller on top of the current one.
    ///
    /// - Parameters:
    ///   - controller: the controller to show.
    ///   - animated: whether to animate the transition.
    ///   - completion: called exactly once: after the transition, or when the flow refuses the presentation.
    public func present(_ controller: UIViewController, animated: Bool = true, completion: (() -> Void)? = nil) {
        presentViewController(controller, animated, completion)
    }

    /// Shows a controller on top of the current one, animated. Use it as a function: `controller |> flow.present`.
    public func present(_ controller: UIViewController) {
        presentViewController(controller, true, nil)
    }

    /// Replaces the current controller.
    ///
    /// - Parameters:
    ///   - controller: the controller to show.
    ///   - animated: whether to animate the transition.
    public func replace(with controller: UIViewController, animated: Bool = true) {
        replaceViewController(controller, animated)
    }

    /// Replaces the current controller, animated. Use it as a function: `controller |> flow.replace`.
    public func replace(with controller: UIViewController) {
        replaceViewController(controller, true)
    }

    /// Returns a flow that reports each controller that it did not show, for example an alert while another presentation
    /// is up.
    ///
    /// ```swift
    /// let modal = navigation.modalFlow.reportingRefusals { controller in log("not shown: \(controller)") }
    /// ```
    ///
    /// - Parameter report: called when the flow has called its completion, or has replaced, and the controller is not shown.
    public func reportingRefusals(to report: @escaping @MainActor (UIViewController) -> Void) -> Flow {
        var flow = self
        flow.presentViewController = {
            [presentViewController, currentViewController] controller, animated, completion in
            presentViewController(controller, animated) {
                if !controller.isShown(before: currentViewController()) { report(controller) }
                completion?()
            }
        }
        flow.replaceViewController = { [replaceViewController, currentViewController] controller, animated in
            let replaced = currentViewController()
            replaceViewController(controller, animated)
            controller.afterReplacing(replaced) {
                if !controller.isShown(before: currentViewController()) { report(controller) }
            }
        }
        return flow
    }

    /// Removes the current controller.
    ///
    /// - Parameters:
    ///   - animated: whether to animate the transition.
    ///   - completion: called exactly once: after the transition, or immediately if there is nothing to remove.
    public func dismiss(animated: Bool = true, completion: (() -> Void)? = nil) {
        dismissViewController(animated, completion)
    }

    /// Removes the current controller, animated. Use it as a function: `dismiss: flow.dismiss`.
    public func dismiss() {
        dismissViewController(true, nil)
    }
}
