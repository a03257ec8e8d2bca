import UIPlatform

/// Changes outside of the flows.
extension ScreenTracker {
    /// Something may have changed outside of the flows: looks at the tree of a controller.
    ///
    /// - Parameters:
    ///   - transition: what has happened, `nil` if only the result shows that.
    ///   - isLater: whether this is the look that a change of a container has been left to.
    func look(near controller: UIViewController, _ transition: ScreenTransition? = nil, isLater: Bool = false) {
        let base = controller.treeBase
        guard operationWithoutWindow?.isCalling != true, let state = state(of: base, isNew: false),
            state.operation?.isCalling != true
        else { return }
        guard let visible = VisibleScreen.find(from: base, types: types) else {
            if let stack = VisibleScreen.frontStack(from: base, types: types) { observer.listen(to: stack) }
            return
        }
        guard !state.footprint.isScreen(visible.controller) else {
            return announce(visible, in: state, transition ?? .dismiss, .heard)
        }
        guard !state.expects(visible.controller) else { return }
        if visible.path.presented?.isBeingDismissed == true {
            // Beneath a presentation that leaves with it: UIKit does not say which view leaves first.
            return lookLater()
        }
        // A split view that collapses and a tab that moves into More show the screen elsewhere in the same turn.
        if !isLater, state.footprint.hasGivenAway(in: visible.path) { return lookLater() }
        let lookAgain: (any UIViewControllerTransitionCoordinatorContext) -> Void = { [weak self, weak controller] _ in
            if let self, let controller { look(near: controller, transition) }
        }
        let running = visible.controller.transitionCoordinator
        if running?.animate(alongsideTransition: nil, completion: lookAgain) == true { return }
        announce(visible, in: state, transition ?? heardTransition(to: visible, base, state), .heard)
    }

    /// Looks at every window.
    func lookEverywhere(_ transition: ScreenTransition? = nil, isLater: Bool = false) {
        var isOperating = operationWithoutWindow?.isCalling == true
        for state in windows {
            if let base = state.base { look(near: base, transition, isLater: isLater) }
            isOperating = isOperating || state.isOperating
        }
        // The end of a flow's call says how its paywalls have ended.
        if !isOperating { closeEndedPaywalls(as: transition ?? .dismiss) }
    }

    /// Looks at every window on the next turn of the main actor.
    func lookLater() {
        Task { [weak self] in self?.lookEverywhere(isLater: true) }
    }

    /// Whether everything that is heard now belongs to the running call of a flow, whose end announces it.
    var isCallingFlow: Bool {
        operationWithoutWindow?.isCalling == true || windows.count == 1 && windows[0].operation?.isCalling == true
    }

    /// The view of a screen has entered or left a window.
    func viewMoved(of controller: UIViewController, isInWindow: Bool) {
        if isInWindow { return look(near: controller) }
        lookEverywhere(controller.isBeingSwipedAway ? .swipeDismiss : nil)
    }
}
