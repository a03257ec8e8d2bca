package import UIPlatform

extension UIViewController {
    /// Whether the controller is contained, presented, or the root of a window.
    package var isInHierarchy: Bool {
        parent != nil || presentingViewController != nil || viewIfLoaded?.window?.rootViewController === self
    }

    /// Whether a flow has shown the controller.
    ///
    /// - Parameter current: the flow's current controller. A root before its window is visible is in no hierarchy yet, and
    ///   is known by that.
    package func isShown(before current: UIViewController?) -> Bool {
        isInHierarchy || current.map(isAncestor) == true
    }

    /// Whether this is the controller itself, or contains or presents it, directly or indirectly.
    func isAncestor(of controller: UIViewController) -> Bool {
        if controller === self { return true }
        guard let above = controller.parent ?? controller.presentingViewController else { return false }
        return isAncestor(of: above)
    }

    /// Whether a presentation or dismissal of this controller is running.
    package var isChangingPresentation: Bool { isBeingPresented || isBeingDismissed }

    /// Calls the completion when no presentation or dismissal of this controller is running any more. UIKit has no
    /// coordinator for one without animation, which may still end on a later turn.
    package func afterPresentation(animated: Bool, _ completion: (() -> Void)?) {
        guard let completion else { return }
        guard isChangingPresentation else { return afterTransition(animated: animated, completion) }
        let once = Completion(completion)
        if transitionCoordinator?.animate(alongsideTransition: nil, completion: { _ in once() }) == true { return }
        Task { @MainActor [weak self] in
            while self?.isChangingPresentation == true { await Task.yield() }
            once()
        }
    }

    /// Calls the completion when this controller has replaced another one, or when nothing is running that would lead to it.
    ///
    /// A flow that replaces a controller whose presentation or dismissal is running waits for its end.
    package func afterReplacing(_ replaced: UIViewController?, _ completion: @escaping () -> Void) {
        guard let replaced, replaced.isChangingPresentation, !isInHierarchy else { return completion() }
        replaced.afterPresentation(animated: false) { self.afterReplacing(replaced, completion) }
    }

    /// Calls the completion at the end of the running transition, or immediately if none is running.
    func afterTransition(animated: Bool, _ completion: (() -> Void)?) {
        guard let completion else { return }
        guard animated, let transitionCoordinator else { return completion() }
        let once = Completion(completion)
        if !transitionCoordinator.animate(alongsideTransition: nil, completion: { _ in once() }) { once() }
    }
}
