package import UIPlatform

/// The screens of one scene of SwiftUI, or of one hosting controller: takes what their views tell to the tree of their
/// window, and settles that on the next turn of the main actor.
@MainActor
package final class SceneScreens {
    private let screens: ScreenTracker
    /// The window of the scene; `nil` until it is known.
    package weak var window: UIWindow? {
        didSet { if window !== oldValue { settleSoon() } }
    }
    private weak var state: WindowState?
    /// What the views have told since the tree was settled.
    private var changes: [(inout ScreenTree) -> Void] = []
    /// The presentations that have begun since then.
    private var opened: Set<String> = []
    private var isWaiting = false

    package init(_ screens: ScreenTracker) {
        self.screens = screens
        screens.hasScenes = true
    }

    /// Makes the token of a view.
    package func makeToken() -> ViewToken { screens.makeToken() }

    /// A view tells something.
    package func change(_ change: @escaping (inout ScreenTree) -> Void) {
        changes.append(change)
        settleSoon()
    }

    /// A paywall is opened. Its views appear at positions with the presentation's id.
    package func open(_ mark: PaywallMark, isModal: Bool, canSwipe: Bool) {
        opened.insert(mark.id)
        change { $0.opened(mark, isModal: isModal, canSwipe: canSwipe) }
    }

    /// Whether a presentation has begun and not ended.
    package func isOpen(_ id: String) -> Bool {
        opened.contains(id) || state?.views?.tree.isOpen(id) == true
    }

    private func settleSoon() {
        guard !isWaiting else { return }
        isWaiting = true
        screens.unsettled.append(self)
        Task { [weak self] in self?.settle() }
    }

    /// Says what has changed for the user. The next turn of the main actor does so by itself.
    package func settle() {
        guard isWaiting else { return }
        isWaiting = false
        screens.unsettled.removeAll { $0 === self }
        let changes = changes
        self.changes = []
        opened = []
        screens.settleViews(in: findState()) { views in
            for change in changes { views.change(change) }
        }
    }

    private func findState() -> WindowState {
        screens.removeGoneWindows()
        if let window {
            for state in screens.windows where state.window === window {
                self.state = state
                return state
            }
        }
        for known in screens.windows where known === state && known.window == nil {
            known.window = window
            return known
        }
        let state = screens.addState(of: window)
        self.state = state
        return state
    }
}
