import EventTracking
import FlowEvents
import UIPlatform

extension ScreenTracker {
    /// How a change was noticed.
    enum Source {
        case throughFlow, heard, late
    }

    func noticeLate(_ screen: UIViewController, in base: UIViewController, of state: WindowState) {
        guard state.passing == nil, !state.isUnseen, let visible = VisibleScreen.find(from: base, types: types) else {
            return
        }
        if state.name == nil, state.unnamedBaseID == nil {
            beginUntracked(visible, in: state)
        } else if !state.expects(screen), !isSwiping(screen, in: state) {
            announce(visible, in: state, heardTransition(to: visible, base, state), .late)
        }
    }

    /// A screen was there before any tracked flow, as from a storyboard or a restored state. It is announced, unless its
    /// window has become visible in this very turn: then nobody has seen it, and it is only the previous screen of the next.
    func beginUntracked(_ visible: VisibleScreen, in state: WindowState) {
        guard !state.isUnseen else { return }
        guard hasName(visible) else {
            state.beginUnnamed(at: visible.controller)
            return becomeUnnamed(visible, in: state)
        }
        if !lifecycle.isNew(state.window) { return announce(visible, in: state, .root, .heard) }
        let name = name(of: visible)
        #if DEBUG
        auditTrail.noticed(name, after: nil, .root)
        #endif
        become(visible, name: name, presentation: nil, in: state)
    }

    func heardTransition(
        to visible: VisibleScreen,
        _ base: UIViewController,
        _ state: WindowState
    ) -> ScreenTransition {
        let transition = state.footprint.transition(to: visible, in: base)
        guard transition == .dismiss, let userDismissal, userDismissal == state.footprint.presented else {
            return transition
        }
        return .swipeDismiss
    }

    /// The transition of a flow's call. To a flow, selecting a tab is replacing.
    func transition(
        of operation: FlowOperation,
        to visible: VisibleScreen,
        _ base: UIViewController,
        _ state: WindowState
    ) -> ScreenTransition {
        guard operation.transition == .replace, state.footprint.transition(to: visible, in: base) == .tab else {
            return operation.transition
        }
        return .tab
    }

    func announce(_ visible: VisibleScreen, in state: WindowState, _ transition: ScreenTransition, _ source: Source) {
        guard !state.footprint.isScreen(visible.controller) else {
            watch(visible, in: state)
            state.footprint.update(to: visible)
            return
        }
        if openLinks > 0 || state.isUnseen || state.unnamedBaseID == ObjectIdentifier(visible.controller),
            passes(visible, in: state, transition)
        {
            return
        }
        if hasScenes || state.views != nil, announceAmongViews(visible, in: state, transition, source) { return }
        closeEndedPaywalls(as: transition)
        let name = name(of: visible)
        let presentation = visible.facts.paywall == nil ? nil : presentations.presentation(of: visible.controller)
        var previous = state.name
        if previous == nil, windows.count > 1 { previous = nameBehind(state) }
        audit(visible, as: name, presentation, in: state, transition, source)
        become(visible, name: name, presentation: presentation, in: state)
        var properties = visible.item
        if source == .late { properties["noticed"] = "late" }
        let draft = EventDraft(
            type: "screen_view",
            screen: name,
            previousScreen: previous,
            transition: transition.rawValue,
            presentationID: presentation?.id,
            paywallSource: presentation?.origin.name,
            properties: properties
        )
        track(consume draft)
    }

    /// Notes what is wrong with a screen that becomes current.
    @inline(__always)
    func audit(
        _ visible: VisibleScreen,
        as name: String,
        _ presentation: PaywallPresentation?,
        in state: WindowState,
        _ transition: ScreenTransition,
        _ source: Source
    ) {
        #if DEBUG
        if source != .throughFlow { auditTrail.noticed(name, after: state.name, transition) }
        if visible.facts.paywall != nil, presentation == nil { auditTrail.add(.paywallWithoutSource(screen: name)) }
        for child in visible.controller.children where types.facts(of: child).paywall != nil {
            auditTrail.add(
                .paywallInUndeclaredContainer(
                    paywall: "\(type(of: child))",
                    controller: "\(type(of: visible.controller))"
                )
            )
        }
        if visible.facts.isUnnamedHost, naming.mapping(visible.controller) == nil {
            auditTrail.add(.unnamedHostingController(screen: name))
        }
        #endif
    }

    func become(
        _ visible: VisibleScreen,
        name: String,
        presentation: PaywallPresentation?,
        in state: WindowState
    ) {
        state.viewlessLooks = 0
        watch(visible, in: state)
        state.footprint.update(to: visible)
        state.name = name
        userDismissal = nil
        guard state.paywall !== presentation else { return }
        let now = timeline.elapsed
        state.paywall?.leaveScreen(at: now)
        state.paywall = presentation
        presentation?.name = name
        presentation?.becomeCurrent(in: state)
        if state.background == nil { presentation?.enterScreen(at: now) }
    }

    /// Whether a finger leads to a screen that is not current yet, and may still cancel. The result is heard later.
    func isSwiping(_ screen: UIViewController, in state: WindowState) -> Bool {
        !state.footprint.isScreen(screen) && screen.transitionCoordinator?.isInteractive == true
    }

    func name(of visible: VisibleScreen) -> String {
        if visible.facts.isNamed, let named = visible.controller as? any ScreenNamed { return named.screenName }
        return naming.mapping(visible.controller) ?? visible.facts.fallback
    }
}

extension UIViewController {
    /// Whether the controller, or one that contains it, is being dismissed by the user's finger.
    var isBeingSwipedAway: Bool {
        var next: UIViewController? = self
        while let controller = next {
            if controller.isBeingDismissed { return controller.transitionCoordinator?.initiallyInteractive == true }
            next = controller.parent
        }
        return false
    }
}
