import EventTracking
public import UIPlatform

extension ScreenTracker {
    /// Tells a screen that is not a controller, by its name. For views of SwiftUI, use `trackedScreen(_:item:)` of the module
    /// `FlowSwiftUI`: it knows one view from another.
    ///
    /// ```swift
    /// DetailView()
    ///     .onAppear { screens.enter("detail") }
    ///     .onDisappear { screens.leave("detail") }
    /// ```
    ///
    /// The screen lies on top of the current controller until ``leave(_:item:in:)``. When another controller covers both, and
    /// goes, the screen is current again. A hosting controller that no flow has shown is no screen itself.
    ///
    /// The same name again on the same controller is the same screen, since SwiftUI may call `onAppear` twice. Of two screens
    /// with one name, the item tells them apart.
    ///
    /// - Parameters:
    ///   - screen: the name of the screen.
    ///   - item: the `item_id` of its events; `nil` for a screen that shows no item of many.
    ///   - window: the window that shows it; without it, the only window with a current screen.
    public func enter(_ screen: String, item: String? = nil, in window: UIWindow? = nil) {
        guard let state = stateToTell(window) else { return }
        settleViews(in: state, byHand: true) { [self] views in
            views.enter(ScreenPlace(screen, item: item)) { makeToken() }
        }
    }

    /// Tells that a screen of ``enter(_:item:in:)`` has disappeared. What was beneath it is current again.
    ///
    /// - Parameters:
    ///   - screen: the name of the screen.
    ///   - item: its item; without it, of several screens with the name the one that was told last.
    ///   - window: the window that shows it; without it, the only window with a current screen.
    public func leave(_ screen: String, item: String? = nil, in window: UIWindow? = nil) {
        guard let state = stateToTell(window), state.views != nil else { return }
        settleViews(in: state, byHand: true) { $0.leave(screen, item: item) }
    }

    private func stateToTell(_ window: UIWindow?) -> WindowState? {
        removeGoneWindows()
        guard let window else {
            return windows.isEmpty ? addState(of: nil) : windows.count == 1 ? windows.first : nil
        }
        for state in windows where state.window === window { return state }
        guard let root = window.rootViewController, let state = state(of: root, isNew: true) else {
            return addState(of: window)
        }
        if state.window == nil { state.window = window }
        return state
    }
}
