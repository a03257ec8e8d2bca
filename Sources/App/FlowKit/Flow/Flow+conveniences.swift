public import UIPlatform

@MainActor
extension Flow {
    /// Shows a controller on top of the current one.
    ///
    /// - Parameters:
    ///   - controller: what to show.
    ///   - animated: whether the transition is to be seen.
    ///   - completion: called exactly once, after the transition or when the presentation is refused.
    public func present(_ controller: UIViewController, animated: Bool = true, completion: (() -> Void)? = nil) {
        presentViewController(controller, animated, completion)
    }

    /// Shows a controller on top of the current one, animated. To be passed as a value: `controller |> flow.present`.
    public func present(_ controller: UIViewController) {
        presentViewController(controller, true, nil)
    }

    /// Shows a controller instead of the current one.
    ///
    /// - Parameters:
    ///   - controller: what to show.
    ///   - animated: whether the transition is to be seen.
    public func replace(with controller: UIViewController, animated: Bool = true) {
        replaceViewController(controller, animated)
    }

    /// Takes the current controller away.
    ///
    /// - Parameters:
    ///   - animated: whether the transition is to be seen.
    ///   - completion: called exactly once, after the transition or where there was nothing to take away.
    public func dismiss(animated: Bool = true, completion: (() -> Void)? = nil) {
        dismissViewController(animated, completion)
    }

    /// Takes the current controller away, animated. To be passed as a value: `dismiss: flow.dismiss`.
    public func dismiss() {
        dismissViewController(true, nil)
    }
}
