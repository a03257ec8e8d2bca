import EventTracking
import FlowEvents
import UIPlatform

/// The session in which a window went to the background, and when.
struct SessionMark {
    var lastSession: Int
    var elapsed: Duration
}

extension ScreenTracker {
    /// The app, or the scene of some windows, has entered the background.
    ///
    /// UIKit's notifications call this. Call it only in an app without them.
    public func enterBackground() {
        enterBackground(nil)
    }

    /// The app, or the scene of some windows, comes back to the foreground. If it comes back in a new session, the current
    /// screen of each window is tracked again with the transition `resume`.
    ///
    /// UIKit's notifications call this. Call it only in an app without them.
    public func enterForeground() {
        enterForeground(nil)
    }

    /// - Parameter scene: the scene; `nil` for all windows whose scenes do not announce this themselves.
    func enterBackground(_ scene: ObjectIdentifier?) {
        let now = timeline.elapsed
        for state in windows where belongs(state, to: scene) {
            guard state.background == nil else { continue }
            state.background = SessionMark(lastSession: sessions?().last ?? 0, elapsed: now)
            state.paywall?.leaveScreen(at: now)
            state.views?.change { $0.enterBackground(at: now) }
        }
    }

    func enterForeground(_ scene: ObjectIdentifier?) {
        removeGoneWindows()
        let now = timeline.elapsed
        var hasWindows = false
        for state in windows where belongs(state, to: scene) {
            hasWindows = true
            let mark = state.background
            state.background = nil
            if mark != nil { state.paywall?.enterScreen(at: now) }
            let isNew = isNewSession(since: mark, at: now) && !state.isUnseen
            if state.views != nil {
                resumeViews(of: state, isNewSession: isNew)
            } else if isNew {
                resume(state)
            }
        }
        reveal(scene)
        if hasWindows { lookForViews() }
    }

    /// The windows of a launch in the background come to the front: what they show counts now.
    func reveal(_ scene: ObjectIdentifier?) {
        for state in windows where state.isUnseen {
            state.window = state.base?.viewIfLoaded?.window
            let own = state.window?.windowScene
            // A scene says it for its own windows; the app for those without a scene, and for scenes that are in front.
            let isInFront = own.map { $0.activationState != .background && $0.activationState != .unattached }
            guard scene == nil ? isInFront ?? true : own.map(ObjectIdentifier.init) == scene else { continue }
            state.isUnseen = false
            if state.views != nil { resumeViews(of: state, isNewSession: false) }
            guard let base = state.base, let visible = VisibleScreen.find(from: base, types: types) else { continue }
            announce(visible, in: state, .root, .throughFlow)
        }
    }

    /// Whether the tracker is of an app that has sent a notification.
    func belongs(to application: ObjectIdentifier?) -> Bool {
        self.application == nil || self.application == application
    }

    private func belongs(_ state: WindowState, to scene: ObjectIdentifier?) -> Bool {
        guard let scene else { return !state.hearsScene }
        guard state.window?.windowScene.map(ObjectIdentifier.init) == scene else { return false }
        state.hearsScene = true
        return true
    }

    private func isNewSession(since mark: SessionMark?, at now: Duration) -> Bool {
        if let progress = sessions?() { return progress.next != mark?.lastSession ?? progress.last }
        guard let mark else { return false }
        return now - mark.elapsed >= TrackerConfiguration().sessionTimeout
    }

    /// Tracks the current screen of a window again.
    private func resume(_ state: WindowState) {
        guard let base = state.base, let visible = VisibleScreen.find(from: base, types: types) else { return }
        // A screen that has changed in the background without a sound is announced as itself.
        guard state.footprint.isScreen(visible.controller) else { return lookEverywhere() }
        guard !state.isUnnamedBase(visible.controller) else { return }
        closeEndedPaywalls(as: .dismiss)
        track(
            EventDraft(
                type: "screen_view",
                screen: state.name,
                transition: ScreenTransition.resume.rawValue,
                presentationID: state.paywall?.id,
                paywallSource: state.paywall?.origin.name,
                properties: visible.item
            )
        )
    }

    /// Looks again at the screens that had no view, as after a launch in the background.
    func lookForViews() {
        var isLooking = false
        for state in windows where state.viewlessLooks > 0 {
            state.viewlessLooks = 0
            isLooking = true
        }
        if isLooking { lookLater() }
    }

    /// A tree that was filled unseen is in a visible window now.
    func appeared(_ base: UIViewController) {
        guard let state = state(of: base, isNew: true), let visible = VisibleScreen.find(from: base, types: types)
        else {
            return
        }
        announce(visible, in: state, state.name == nil ? .root : .replace, .throughFlow)
    }
}
