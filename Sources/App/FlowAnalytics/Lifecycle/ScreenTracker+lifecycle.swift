import EventTracking
import FlowEvents
public import UIPlatform

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
            if isNewSession(since: mark, at: now), !state.isUnseen { resume(state) }
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
        let shown = state.told.front == nil ? state.paywall : nil
        track(
            EventDraft(
                type: "screen_view",
                screen: state.told.front ?? state.name,
                transition: ScreenTransition.resume.rawValue,
                presentationID: shown?.id,
                paywallSource: shown?.origin.name,
                properties: state.told.front == nil ? visible.item : [:]
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

extension ScreenTracker {
    /// Tracks a screen that is not a controller, such as a destination of a SwiftUI `NavigationStack`.
    ///
    /// ```swift
    /// DetailView()
    ///     .onAppear { screens.enter("detail") }
    ///     .onDisappear { screens.leave("detail") }
    /// ```
    ///
    /// The screen lies on top of the current controller until ``leave(_:in:)``. When another controller covers both, and
    /// goes, the screen is current again.
    ///
    /// - Parameters:
    ///   - screen: the name of the screen.
    ///   - window: the window that shows it; without it, the only window with a current screen.
    public func enter(_ screen: String, in window: UIWindow? = nil) {
        guard let state = state(for: window), let base = state.base,
            let host = VisibleScreen.find(from: base, types: types)?.controller
        else { return }
        let previous = state.told.front ?? state.name
        state.told.enter(screen, on: host)
        guard previous != screen else { return }
        trackTold(screen, after: previous, .present)
    }

    /// Tracks the screen beneath one that ``enter(_:in:)`` has tracked, which has disappeared.
    public func leave(_ screen: String, in window: UIWindow? = nil) {
        guard let state = state(for: window), state.told.leave(screen), let below = state.told.front ?? state.name,
            below != screen
        else { return }
        guard state.told.front == nil else { return trackTold(below, after: screen, .back) }
        let visible = state.base.flatMap { VisibleScreen.find(from: $0, types: types) }
        trackTold(below, after: screen, .back, of: state.paywall, visible?.item ?? [:])
    }

    private func state(for window: UIWindow?) -> WindowState? {
        removeGoneWindows()
        guard let window else { return windows.count == 1 ? windows.first : nil }
        return windows.first { $0.window === window }
    }

    private func trackTold(
        _ screen: String,
        after previous: String?,
        _ transition: ScreenTransition,
        of presentation: PaywallPresentation? = nil,
        _ properties: [String: PropertyValue] = [:]
    ) {
        track(
            EventDraft(
                type: "screen_view",
                screen: screen,
                previousScreen: previous,
                transition: transition.rawValue,
                presentationID: presentation?.id,
                paywallSource: presentation?.origin.name,
                properties: properties
            )
        )
    }
}
