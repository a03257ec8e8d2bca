import UIPlatform

/// Steps of a navigator that lead to one screen, from the first to the last. The screens on the way do not count: most of
/// them are there for no turn of the main actor.
@MainActor
final class ScreenLink {
    private weak var screens: ScreenTracker?
    private var hasEnded = false

    init(_ screens: ScreenTracker) {
        self.screens = screens
        screens.openLinks = screens.openLinks + 1
    }

    /// The last step has ended, or a step was refused: what is in front now counts.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        screens?.endLink()
    }

    deinit {
        // A flow that drops its completion never ends the link.
        guard !hasEnded else { return }
        Task { @MainActor [weak screens] in screens?.endLink() }
    }
}

extension ScreenTracker {
    fileprivate func endLink() {
        openLinks = openLinks - 1
        guard openLinks == 0 else { return }
        for state in windows {
            guard let passing = state.passing else { continue }
            state.passing = nil
            guard let base = state.base, let visible = VisibleScreen.find(from: base, types: types) else { continue }
            announce(visible, in: state, passing, .throughFlow)
        }
    }
}
