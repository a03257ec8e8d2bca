import EventTracking
import FlowEvents
import UIPlatform

/// Views and controllers in one order: a ``ScreenTree`` has the views, and is told which controller is in front.
extension ScreenTracker {
    /// Views have told something: says what has changed for the user.
    ///
    /// - Parameters:
    ///   - byHand: whether the views lie on the controller in front, whatever that is.
    ///   - change: tells the views.
    func settleViews(in state: WindowState, byHand: Bool = false, _ change: (WindowViews) -> Void) {
        let views = views(of: state)
        guard let base = state.base else {
            views.change { $0.show(nil) }
            change(views)
            return settle(views, in: state)
        }
        let visible = VisibleScreen.find(from: base, types: types)
        let isCurrent = visible.map { becomesCurrent($0, in: state, base) } ?? false
        if let visible, isCurrent {
            views.show(visible.controller, as: nil, isHost: isHost(visible), nil)
        }
        change(views)
        let front = visible.flatMap { byHand || isHost($0) || showsHost($0.controller) ? $0.controller : nil }
        views.place(on: front)
        // What is in front is still coming: its arrival settles the views.
        if visible != nil, !isCurrent { return }
        settle(views, in: state)
    }

    /// Another controller is current now, in a window with views or among hosting controllers that have some: says what the
    /// user sees.
    ///
    /// - Returns: `false` if no view has to do with it.
    @inline(never)
    func announceAmongViews(
        _ visible: VisibleScreen,
        in state: WindowState,
        _ transition: ScreenTransition,
        _ source: Source
    ) -> Bool {
        let isHost = isHost(visible)
        if state.views?.isEmpty ?? true {
            state.views = nil
            guard hasScenes, isHost else { return false }
        }
        let views = views(of: state)
        if views.awaited != nil {
            views.endWaiting()
            settle(views, in: state)
        }
        closeEndedPaywalls(as: transition)
        let name = name(of: visible)
        let presentation = visible.facts.paywall == nil ? nil : presentations.presentation(of: visible.controller)
        let previous = state.name
        let place = ScreenPlace(name, item: visible.itemID, paywall: presentation?.mark)
        if !isHost { audit(visible, as: name, presentation, in: state, transition, source) }
        become(visible, name: name, presentation: presentation, in: state)
        state.name = previous
        views.show(visible.controller, as: isHost ? nil : place, isHost: isHost, transition)
        if isHost, !views.hasViews(on: visible.controller) {
            views.awaited = place
            Task { [weak self, weak state] in if let state { self?.endWaiting(in: state) } }
        } else {
            settle(views, in: state, source)
        }
        return true
    }

    /// The scene of a window is back.
    func resumeViews(of state: WindowState, isNewSession: Bool) {
        guard let views = state.views else { return }
        let now = timeline.elapsed
        let visible = state.base.flatMap { VisibleScreen.find(from: $0, types: types) }
        let hasChanged = visible.map { !state.footprint.isScreen($0.controller) } ?? false
        say(views.say { $0.enterForeground(isNewSession: isNewSession && !hasChanged, at: now) }, in: state)
        if hasChanged { settleViews(in: state) { _ in } }
    }

    /// A window has gone.
    func endViews(of state: WindowState) {
        guard let views = state.views else { return }
        let now = timeline.elapsed
        say(views.say { $0.end(at: now) }, in: state)
    }
}

extension ScreenTracker {
    /// The views of a window, which begin with what the window shows without them.
    private func views(of state: WindowState) -> WindowViews {
        if let views = state.views { return views }
        let views = WindowViews()
        state.views = views
        if let name = state.name {
            let visible = state.base.flatMap { VisibleScreen.find(from: $0, types: types) }
            let current = visible.flatMap { state.footprint.isScreen($0.controller) ? $0 : nil }
            let place = ScreenPlace(name, item: current?.itemID, paywall: state.paywall?.mark)
            if let current { views.show(current.controller, as: place, isHost: isHost(current), nil) }
            views.change { $0.note(place) }
        }
        if state.isUnseen || state.background != nil {
            let now = timeline.elapsed
            views.change { $0.enterBackground(at: now) }
        }
        return views
    }

    /// Whether a controller is a hosting controller whose name nobody has given: its views are the screens if they say so.
    private func isHost(_ visible: VisibleScreen) -> Bool {
        visible.facts.isHost && naming.mapping(visible.controller) == nil
    }

    /// Whether a hosting controller is a part of a controller.
    private func showsHost(_ controller: UIViewController) -> Bool {
        controller.children.contains { HostedView.isHosting($0) || showsHost($0) }
    }

    /// Whether the visible controller is the current one, after a look at it if it was not.
    private func becomesCurrent(_ visible: VisibleScreen, in state: WindowState, _ base: UIViewController) -> Bool {
        if state.footprint.isScreen(visible.controller) { return true }
        guard state.operation?.isCalling != true, !state.expects(visible.controller),
            !isSwiping(visible.controller, in: state)
        else { return false }
        if isHost(visible), !state.isUnseen {
            // Its views say what it is.
            let name = state.name
            become(visible, name: "", presentation: nil, in: state)
            state.name = name
        } else if state.name == nil, state.unnamedBaseID == nil {
            beginUntracked(visible, in: state)
        } else {
            look(near: base)
        }
        return state.footprint.isScreen(visible.controller)
    }

    /// The views of a hosting controller have had their time to tell that they are the screens.
    private func endWaiting(in state: WindowState) {
        guard let views = state.views, views.awaited != nil else { return }
        let visible = state.base.flatMap { VisibleScreen.find(from: $0, types: types) }
        // SwiftUI tells of the views with their first layout, which may not have come yet.
        visible?.controller.viewIfLoaded?.layoutIfNeeded()
        for scene in unsettled { scene.settle() }
        guard let visible, views.awaited != nil else { return }
        let isScreen = state.footprint.isScreen(visible.controller) && !views.hasViews(on: visible.controller)
        if isScreen { audit(visible, as: name(of: visible), nil, in: state, .present, .throughFlow) }
        views.endWaiting()
        settle(views, in: state)
    }

    private func settle(_ views: WindowViews, in state: WindowState, _ source: Source = .throughFlow) {
        let now = timeline.elapsed
        say(views.say { $0.settle(at: now) }, in: state, source)
    }

    private func say(_ outputs: [ScreenTreeOutput], in state: WindowState, _ source: Source = .throughFlow) {
        for output in outputs {
            switch output {
            case .view(let place, let previous, let transition):
                let isResume = transition == .resume
                var properties: [String: PropertyValue] = place.item.map { ["item_id": .string($0)] } ?? [:]
                if source == .late { properties["noticed"] = "late" }
                track(
                    EventDraft(
                        type: "screen_view",
                        screen: place.name,
                        previousScreen: previous ?? (isResume ? nil : nameBehind(state)),
                        transition: transition.rawValue,
                        presentationID: place.paywall?.id,
                        paywallSource: place.paywall?.source,
                        properties: properties
                    )
                )
            case .close(let mark, let screen, let transition, let shown):
                track(.paywallClose(mark, screen: screen, transition, shown: shown))
            }
        }
        state.name = state.views?.tree.currentPlace?.name ?? state.name
    }
}

extension EventDraft {
    /// The event for the end of a paywall's presentation.
    ///
    /// - Parameter shown: how long the paywall was on screen.
    static func paywallClose(
        _ mark: PaywallMark,
        screen: String,
        _ transition: ScreenTransition,
        shown: Duration
    ) -> EventDraft {
        EventDraft(
            type: "paywall_close",
            screen: screen,
            transition: transition.rawValue,
            presentationID: mark.id,
            paywallSource: mark.source,
            properties: ["shown_ms": .number(shown.wholeMilliseconds)]
        )
    }
}
