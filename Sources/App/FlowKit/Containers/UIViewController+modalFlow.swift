public import UIPlatform

extension UIViewController {
    /// A flow that presents modally on this controller.
    ///
    /// Its current view controller is the presented controller until the end of its dismissal. With nothing presented, it is
    /// this controller or, if this is a container, the controller that it shows.
    ///
    /// The flow refuses to present while something is presented. It also refuses a controller that is already contained or
    /// presented, for which UIKit raises. Nothing happens then. With nothing presented, replacing presents. Dismissing
    /// removes the presented controller and everything on top of it, never this controller itself; during a transition it
    /// waits for the end. The flow does not keep the controller alive, and does nothing after it is gone.
    public var modalFlow: Flow {
        // Asked once: an object's class does not change, and a dynamic cast to a protocol is slow.
        let shown = (self as? any ScreenContainer).map { type(of: $0).shownViewController(in:) }
        // Not `[weak self]`, which is slow without Objective-C.
        let reference = WeakController(self)
        return Flow(
            presentViewController: { controller, animated, completion in
                guard let host = reference.controller else {
                    completion?()
                    return
                }
                host.presentModally(controller, animated: animated, completion: completion)
            },
            replaceViewController: { controller, animated in
                reference.controller?.replaceModally(with: controller, animated: animated)
            },
            dismissViewController: { animated, completion in
                guard let host = reference.controller else {
                    completion?()
                    return
                }
                host.dismissPresented(animated: animated, completion: completion)
            },
            currentViewController: {
                guard let host = reference.controller else { return nil }
                return host.presentedViewController ?? shown?(host) ?? host
            }
        )
    }

    private func canPresent(_ controller: UIViewController) -> Bool {
        !controller.isInHierarchy && !controller.isAncestor(of: self)
    }

    /// Presents, unless UIKit would refuse or raise. An action sheet without an anchor appears in the middle.
    func presentModally(_ controller: UIViewController, animated: Bool, completion: (() -> Void)?) {
        guard presentedViewController == nil, canPresent(controller) else {
            completion?()
            return
        }
        if let alert = controller as? UIAlertController, let view { alert.anchor(to: view, hasArrow: false) }
        guard let completion else {
            present(controller, animated: animated, completion: nil)
            return
        }
        let once = Completion(completion)
        present(controller, animated: animated) { once() }
        // UIKit also refuses other presentations, for example if the view is in no window, and then drops the completion.
        // A controller that it accepts has a presenter immediately.
        if !once.isDone, controller.presentingViewController == nil { once() }
    }

    private func replaceModally(with controller: UIViewController, animated: Bool) {
        guard canPresent(controller) else { return }
        let present = Completion { [weak self] in
            self?.presentModally(controller, animated: animated, completion: nil)
        }
        let replaced = presentedViewController
        dismissPresented(animated: false) { present() }
        // A dismissal that ends on a later turn presents then.
        if replaced?.isBeingDismissed == true { return }
        // UIKit may call the completion on a later turn, when nothing is presented any more. The flow's current view
        // controller has to be the new one in between.
        if presentedViewController == nil { present() }
    }

    private func dismissPresented(animated: Bool, completion: (() -> Void)?) {
        guard let presented = presentedViewController else {
            completion?()
            return
        }
        // During a presentation or dismissal, UIKit ignores another dismissal and drops its completion.
        guard let changing = presented.changingPresentation else {
            presented.presentingViewController?.dismiss(animated: animated, completion: completion)
            return
        }
        changing.afterPresentation(animated: animated) { [weak self] in
            guard let self, presentedViewController === presented else {
                completion?()
                return
            }
            dismissPresented(animated: animated, completion: completion)
        }
    }

    /// This controller or the one on top of it whose presentation or dismissal is running.
    private var changingPresentation: UIViewController? {
        var next: UIViewController? = self
        while let controller = next {
            if controller.isChangingPresentation { return controller }
            next = controller.presentedViewController
        }
        return nil
    }
}
