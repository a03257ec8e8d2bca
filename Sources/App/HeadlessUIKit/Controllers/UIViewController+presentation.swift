extension UIViewController {
    /// The controller that this one, or the nearest ancestor that presents, presents.
    ///
    /// Follows [presentedViewController](https://developer.apple.com/documentation/uikit/uiviewcontroller/presentedviewcontroller).
    public var presentedViewController: UIViewController? {
        ownPresented ?? parent?.presentedViewController
    }

    /// The controller that presents this one, or the ancestor of it that is presented.
    ///
    /// Follows [presentingViewController](https://developer.apple.com/documentation/uikit/uiviewcontroller/presentingviewcontroller).
    public var presentingViewController: UIViewController? {
        ownPresenter ?? parent?.presentingViewController
    }

    /// The presentation controller of the presentation that this controller belongs to. Before a presentation, asking
    /// makes the one that the next presentation will have.
    ///
    /// Follows [presentationController](https://developer.apple.com/documentation/uikit/uiviewcontroller/presentationcontroller).
    public var presentationController: UIPresentationController? {
        if let parent, ownPresenter == nil, parent.presentingViewController != nil {
            return parent.presentationController
        }
        if let ownPresentationController { return ownPresentationController }
        let made = makePresentationController()
        made.presenting = ownPresenter
        ownPresentationController = made
        return made
    }

    /// The presentation controller, where it is that of a popover: for an action sheet.
    ///
    /// Follows [popoverPresentationController](https://developer.apple.com/documentation/uikit/uiviewcontroller/popoverpresentationcontroller).
    public var popoverPresentationController: UIPopoverPresentationController? {
        presentationController as? UIPopoverPresentationController
    }

    /// The transition that this controller, or else the nearest ancestor, is in the middle of.
    ///
    /// Follows [transitionCoordinator](https://developer.apple.com/documentation/uikit/uiviewcontroller/transitioncoordinator).
    public var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
        ownTransition ?? parent?.transitionCoordinator
    }

    var farthestAncestor: UIViewController {
        var ancestor = self
        while let parent = ancestor.parent { ancestor = parent }
        return ancestor
    }

    func beginPresentation(of presented: UIViewController, animated: Bool, completion: (() -> Void)?) {
        guard ownPresented == nil, !isBeingDismissed else { return }
        precondition(
            presented.parent == nil && presented.ownPresenter == nil && presented !== self,
            "Application tried to present modally an active view controller \(presented)"
        )
        presented.checkPresentation(in: viewIfLoaded?.window)
        ownPresented = presented
        presented.ownPresenter = self
        presented.isBeingPresented = true
        presented.presentationController?.presenting = self
        if let window = viewIfLoaded?.window { window.addSubview(presented.view) }
        let transition = HeadlessTransition { _ in
            presented.isBeingPresented = false
            self.presentationTransition = nil
            presented.presentationTransition = nil
            completion?()
        }
        presentationTransition = transition
        presented.presentationTransition = transition
        transition.run(animated: animated)
    }

    /// Begins the dismissal of what this very controller presents, `nil` where there is nothing to dismiss or a
    /// transition runs already.
    func beginDismissal(isInteractive: Bool, completion: (() -> Void)?) -> HeadlessTransition? {
        guard let presented = ownPresented, !isPresentationChanging else { return nil }
        presented.isBeingDismissed = true
        let transition = HeadlessTransition(isInteractive: isInteractive) { isCancelled in
            presented.isBeingDismissed = false
            self.presentationTransition = nil
            presented.presentationTransition = nil
            guard !isCancelled else { return }
            self.removePresented()
            completion?()
        }
        presentationTransition = transition
        presented.presentationTransition = transition
        return transition
    }

    /// Whether a presentation or a dismissal runs anywhere above this controller.
    private var isPresentationChanging: Bool {
        guard let ownPresented else { return false }
        return ownPresented.isBeingPresented || ownPresented.isBeingDismissed || ownPresented.isPresentationChanging
    }

    /// Takes away what is presented, the topmost first.
    private func removePresented() {
        guard let presented = ownPresented else { return }
        presented.removePresented()
        ownPresented = nil
        presented.ownPresenter = nil
        presented.ownPresentationController = nil
        presented.viewIfLoaded?.removeFromSuperview()
    }
}
