public import UIPlatform

extension UIViewController {
    /// A flow that presents modally on this controller.
    ///
    /// Its current view controller is the presented one, as long as its dismissal has not ended; else the presenter's
    /// own: itself, or what it shows where it is a container.
    ///
    /// Refused, so that nothing happens: presenting while something is presented, and what is contained or presented
    /// already, for which UIKit raises. With nothing presented, replacing presents. Dismissing takes away the presented
    /// one with all that is on top of it, and never this controller itself; asked for in the middle of a transition, it
    /// waits for the end. The flow does not keep the controller alive, and does nothing when it is gone.
    public var modalFlow: Flow {
        // Found out once, for an object's class does not change, and asking whether it adopts a protocol takes long.
        let shown = (self as? any ScreenContainer).map { type(of: $0).shownViewController(in:) }
        return Flow(
            presentViewController: { [weak self] controller, animated, completion in
                guard let self else {
                    completion?()
                    return
                }
                presentModally(controller, animated: animated, completion: completion)
            },
            replaceViewController: { [weak self] controller, animated in
                self?.replaceModally(with: controller, animated: animated)
            },
            dismissViewController: { [weak self] animated, completion in
                guard let self else {
                    completion?()
                    return
                }
                dismissPresented(animated: animated, completion: completion)
            },
            currentViewController: { [weak self] in
                guard let self else { return nil }
                return presentedViewController ?? shown?(self) ?? self
            }
        )
    }

    private func canPresent(_ controller: UIViewController) -> Bool {
        !controller.isInHierarchy && !controller.isAncestor(of: self)
    }

    /// Presents, unless UIKit would refuse or raise; an action sheet that was given no anchor stands in the middle.
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
        // UIKit also refuses for reasons of its own, such as a view that is in no window, and then forgets the
        // completion. What it accepts is presented at once.
        if !once.isDone, controller.presentingViewController == nil { once() }
    }

    private func replaceModally(with controller: UIViewController, animated: Bool) {
        guard canPresent(controller) else { return }
        let present = Completion { [weak self] in
            self?.presentModally(controller, animated: animated, completion: nil)
        }
        dismissPresented(animated: false) { present() }
        // UIKit may call the completion on a later turn although nothing is presented any more. Whoever asks this flow
        // for its current view controller in between has to see the new one.
        if presentedViewController == nil { present() }
    }

    private func dismissPresented(animated: Bool, completion: (() -> Void)?) {
        guard let presented = presentedViewController else {
            completion?()
            return
        }
        // UIKit ignores a dismissal, and forgets its completion, while a presentation or dismissal runs.
        if let running = presented.runningPresentation {
            let dismissLater = Completion { [weak self] in
                guard let self, presentedViewController === presented else {
                    completion?()
                    return
                }
                presented.presentingViewController?.dismiss(animated: animated, completion: completion)
            }
            if running.animate(alongsideTransition: nil, completion: { _ in dismissLater() }) { return }
            dismissLater()
        } else {
            presented.presentingViewController?.dismiss(animated: animated, completion: completion)
        }
    }

    /// The transition of this presentation, or of one on top of it.
    private var runningPresentation: (any UIViewControllerTransitionCoordinator)? {
        var next: UIViewController? = self
        while let controller = next {
            if controller.isBeingPresented || controller.isBeingDismissed { return controller.transitionCoordinator }
            next = controller.presentedViewController
        }
        return nil
    }
}
