import EventTracking
import FlowEvents
import UIPlatform

extension ScreenTracker {
    /// The state of the window that shows a tree; `nil` if the tree is not on screen, or is not known yet.
    ///
    /// - Parameter isNew: whether to make a state for a tree that is not known yet.
    func state(of base: UIViewController, isNew: Bool) -> WindowState? {
        // By index, since an entry as a variable counts a reference.
        for index in windows.indices where windows[index].footprint.isBase(base) {
            // A tree that was shown before its window was visible.
            if !windows[index].hasHadWindow { windows[index].window = base.viewIfLoaded?.window }
            return windows[index]
        }
        removeGoneWindows()
        let window = base.viewIfLoaded?.window
        if let window {
            for state in windows where state.window === window { return state }
        }
        for state in windows where state.window?.rootViewController === base || state.footprint.isSameTree(base) {
            if state.window == nil { state.window = window }
            return state
        }
        for state in windows where state.window == nil && state.footprint.isGone {
            state.window = window
            return state
        }
        guard isNew else { return nil }
        guard window != nil || windows.isEmpty else {
            lifecycle.awaitVisibility(of: base, for: self)
            return nil
        }
        return addState(of: window)
    }

    /// Adds the state of a window that is not known yet.
    func addState(of window: UIWindow?) -> WindowState {
        let state = WindowState()
        state.window = window
        lifecycle.start(for: self)
        if windows.count > 0 { call.isRunning = false }
        awaitsFirstWindow.withLock { $0 = false }
        state.isUnseen = isInBackground(state)
        windows = windows + [state]
        return state
    }

    private func isInBackground(_ state: WindowState) -> Bool {
        guard let scene = state.window?.windowScene else { return isInBackground() }
        // A scene is not attached while the app sets it up; it comes to the front, or to the background, after that.
        return scene.activationState == .background || scene.activationState == .unattached
    }

    /// A flow has replaced what a window shows. Before the window is visible, only this tells that it has another root.
    func moveRoot(of state: WindowState, to base: UIViewController) {
        guard !state.hasHadWindow, self.state(of: base, isNew: false) == nil else { return }
        state.footprint.setBase(base)
    }

    /// The state of the window whose current screen a controller is and still shows: the answer of ``FrontScreen`` in the
    /// usual case, found from the screen upward, which asks much less than the way from the base down. `nil` where this way
    /// does not tell.
    func stateIfCurrent(_ screen: UIViewController) -> WindowState? {
        for index in windows.indices where windows[index].footprint.isScreen(screen) {
            // A presentation by a controller around the screen counts as one by the screen.
            guard screen.children.isEmpty, screen.presentedViewController == nil,
                types.isShown(screen, in: windows[index].footprint)
            else { return nil }
            return windows[index]
        }
        return nil
    }

    /// Forgets windows that have been freed or disconnected, and ends their paywalls.
    func removeGoneWindows(_ isGone: (WindowState) -> Bool = { $0.isGone }) {
        for state in windows.reversed() where isGone(state) {
            windows = windows.filter { $0 !== state }
            closePaywalls(of: state)
        }
    }

    /// Hears of changes to a screen without its flows from now on.
    func watch(_ visible: VisibleScreen, in state: WindowState) {
        let controller = visible.controller
        guard visible.facts.isOfApp, controller.isViewLoaded else {
            observer.attach(to: visible.path, isOnlySource: !visible.facts.isOfApp)
            if !controller.isViewLoaded { awaitView(of: controller, in: state) }
            return
        }
        observer.attach(to: visible.path, isOnlySource: false)
        guard !observer.isWatched(controller), let view = controller.viewIfLoaded else { return }
        observer.setWatched(controller)
        guard ScreenWatchView.canBeAdded(to: view) else {
            return observer.attach(to: visible.path, isOnlySource: true)
        }
        ScreenWatchView.add(to: view, for: self)
    }

    /// Looks again when UIKit may have loaded the view of a screen: on the next turns of the main actor, and when its window
    /// becomes visible.
    private func awaitView(of screen: UIViewController, in state: WindowState) {
        lifecycle.awaitVisibility(of: screen.treeBase, for: self)
        // UIKit loads the view in a visible window with the next layout. In another window it may never do so.
        guard state.viewlessLooks < 4 else { return }
        state.viewlessLooks += 1
        lookLater()
    }
}
