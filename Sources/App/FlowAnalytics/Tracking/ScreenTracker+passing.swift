import UIPlatform

/// Screens that do not count, or not yet.
extension ScreenTracker {
    /// Whether a screen does not count: in a window that nobody has seen yet, on the way of a link, or one without a name
    /// that was there before every flow.
    @inline(never)
    func passes(_ visible: VisibleScreen, in state: WindowState, _ transition: ScreenTransition) -> Bool {
        if state.isUnseen {
            watch(visible, in: state)
            return true
        }
        if openLinks > 0 {
            watch(visible, in: state)
            state.passing = state.name == nil ? .root : transition
            return true
        }
        guard state.isUnnamedBase(visible.controller) else { return false }
        closeEndedPaywalls(as: transition)
        becomeUnnamed(visible, in: state)
        return true
    }

    /// A window shows nothing of the app's own.
    func becomeUnnamed(_ visible: VisibleScreen, in state: WindowState) {
        become(visible, name: "", presentation: nil, in: state)
        state.name = nil
    }

    /// Whether a screen that no flow has shown is one of the app's: a plain `UIViewController` has nothing of its own, nor has
    /// the hosting controller that SwiftUI makes for a scene.
    func hasName(_ visible: VisibleScreen) -> Bool {
        !visible.facts.isPlain && !visible.facts.isUnnamedHost || naming.mapping(visible.controller) != nil
    }

    /// The screen that the user sees behind a window without one: that of the window of the same scene which was told last.
    func nameBehind(_ state: WindowState) -> String? {
        guard state.unnamedBaseID != nil else { return nil }
        let scene = state.window?.windowScene
        for other in windows.reversed() where other !== state && other.window?.windowScene === scene {
            if let name = other.name { return name }
        }
        return nil
    }
}
