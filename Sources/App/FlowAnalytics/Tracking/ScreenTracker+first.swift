import EventTracking
import FlowKit
import UIPlatform

/// The first screen of an app that no flow has shown: a storyboard has, or the system has restored it.
extension ScreenTracker {
    /// A flow has been decorated: looks on the next turn of the main actor whether its window shows a screen already.
    nonisolated func lookForFirstScreen(of flow: Flow) {
        guard awaitsFirstWindow.withLock({ $0 }) else { return }
        Task { @MainActor [weak self] in self?.lookForFirstScreen(of: flow, turns: 4) }
    }

    /// - Parameter turns: how many turns to wait for a window. UIKit loads its first view with a layout after the launch.
    private func lookForFirstScreen(of flow: Flow, turns: Int) {
        guard windows.isEmpty, let base = flow.currentViewController()?.treeBase,
            let visible = VisibleScreen.find(from: base, types: types), isFirstScreen(visible)
        else { return }
        guard let window = base.viewIfLoaded?.window, !lifecycle.isNew(window) else {
            if turns > 1 {
                Task { @MainActor [weak self] in self?.lookForFirstScreen(of: flow, turns: turns - 1) }
            }
            return
        }
        if let state = state(of: base, isNew: true) { beginUntracked(visible, in: state) }
    }

    /// Not a hosting controller, whose views tell their screens themselves.
    private func isFirstScreen(_ visible: VisibleScreen) -> Bool {
        hasName(visible) && !visible.facts.isHost
    }
}
