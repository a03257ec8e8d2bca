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

    /// The running transition of this controller or of the nearest ancestor with one.
    ///
    /// Follows [transitionCoordinator](https://developer.apple.com/documentation/uikit/uiviewcontroller/transitioncoordinator).
    public var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
        if let ownTransition, ownTransition.isAnimated { return ownTransition }
        return parent?.transitionCoordinator
    }

    var farthestAncestor: UIViewController {
        var ancestor = self
        while let parent = ancestor.parent { ancestor = parent }
        return ancestor
    }

    /// The nearest ancestor that defines the presentation context, this controller included; without one, the farthest.
    var presentationContext: UIViewController {
        var ancestor = self
        while !ancestor.definesPresentationContext, let parent = ancestor.parent { ancestor = parent }
        return ancestor
    }

    func beginPresentation(of presented: UIViewController, animated: Bool, completion: (() -> Void)?) {
        precondition(
            presented.parent == nil && presented.ownPresenter == nil && presented !== self,
            "Application tried to present modally an active view controller \(presented)"
        )
        guard ownPresented == nil, !isBeingDismissed, let window = viewIfLoaded?.window else { return }
        presented.checkPresentation(in: window)
        ownPresented = presented
        presented.ownPresenter = self
        presented.hasUnfinishedPresentation = true
        let controller = presented.ownPresentationController ?? presented.makePresentationController()
        controller.presenting = self
        presented.ownPresentationController = controller
        let covers = presented.modalPresentationStyle.removesPresenter
        var transition: HeadlessTransition?
        if animated || window.headlessTiming == .later {
            transition = HeadlessTransition(isAnimated: animated) { _ in
                self.endPresentation(of: presented, animated: animated, completion: completion)
            }
            presentationTransition = transition
            presented.presentationTransition = transition
        }
        if covers { beginAppearance(false, animated: animated) }
        presented.beginAppearance(true, animated: animated)
        window.addSubview(presented.view)
        if presented.dimsPresenter { viewIfLoaded?.setDimmed(true) }
        if let transition {
            transition.run(animated: animated, in: window.headlessTiming)
        } else {
            endPresentation(of: presented, animated: animated, completion: completion)
        }
    }

    private func endPresentation(of presented: UIViewController, animated: Bool, completion: (() -> Void)?) {
        presented.hasUnfinishedPresentation = false
        presentationTransition = nil
        presented.presentationTransition = nil
        presented.endAppearance(animated: animated)
        if presented.modalPresentationStyle.removesPresenter {
            viewIfLoaded?.removeFromSuperview()
            endAppearance(animated: animated)
        }
        completion?()
    }

    /// Begins the dismissal of what this very controller presents, `nil` where there is nothing to dismiss or a
    /// transition runs already.
    func beginDismissal(
        isInteractive: Bool,
        animated: Bool = true,
        completion: (() -> Void)?
    ) -> HeadlessTransition? {
        guard let presented = ownPresented, !isPresentationChanging else { return nil }
        presented.hasUnfinishedDismissal = true
        let window = presented.viewIfLoaded?.window
        let top = presented.topPresented
        let transition = HeadlessTransition(isInteractive: isInteractive, isAnimated: animated) { isCancelled in
            if isCancelled {
                self.presentationTransition = nil
                presented.presentationTransition = nil
                presented.hasUnfinishedDismissal = false
                top.beginAppearance(true, animated: animated)
                if presented.dimsPresenter { self.viewIfLoaded?.setDimmed(true) }
                if presented.modalPresentationStyle.removesPresenter {
                    self.beginAppearance(false, animated: animated)
                    self.viewIfLoaded?.removeFromSuperview()
                    self.endAppearance(animated: animated)
                }
                top.endAppearance(animated: animated)
                return
            }
            self.removePresented()
            self.presentationTransition = nil
            presented.presentationTransition = nil
            self.endAppearance(animated: animated)
            completion?()
        }
        presentationTransition = transition
        presented.presentationTransition = transition
        top.beginAppearance(false, animated: animated)
        if let view = viewIfLoaded, view.window == nil, let window {
            beginAppearance(true, animated: animated)
            (ownPresentationController?.container ?? window).addSubview(view)
        }
        // As in UIKit, whose tint comes back alongside the transition.
        viewIfLoaded?.setDimmed(false)
        return transition
    }

    /// Whether a presentation or a dismissal runs anywhere above this controller.
    private var isPresentationChanging: Bool {
        guard let ownPresented else { return false }
        return ownPresented.isBeingPresented || ownPresented.isBeingDismissed || ownPresented.isPresentationChanging
    }

    private var topPresented: UIViewController { ownPresented?.topPresented ?? self }

    /// Removes the presented controllers, the topmost first. As in UIKit, a view leaves its window while its controller is
    /// still being dismissed.
    private func removePresented() {
        guard let presented = ownPresented else { return }
        presented.hasUnfinishedDismissal = true
        presented.removePresented()
        presented.viewIfLoaded?.removeFromSuperview()
        presented.ownPresentationController?.removeContainer()
        presented.endAppearance(animated: true)
        viewIfLoaded?.setDimmed(false)
        ownPresented = nil
        presented.ownPresenter = nil
        presented.ownPresentationController = nil
        presented.hasUnfinishedDismissal = false
    }
}
