import EventTracking
import UIPlatform

/// The presentations that have not ended, and the paywalls whose builders have named their source.
///
/// It uses loops in place of `removeAll(where:)` and `first(where:)`: a main-actor closure that the standard library calls
/// asks the runtime each time whether it is on the main actor. What every call of a flow asks for goes by index: an entry as
/// a variable counts a reference.
@MainActor
final class PaywallPresentations {
    private struct Built {
        weak var screen: UIViewController?
        let opener: PaywallOpener
    }

    private var all: [PaywallPresentation] = []
    private var built: [Built] = []
    /// Openings whose flow has returned and may still call its completion.
    private var expected: [PaywallOpening] = []

    var isEmpty: Bool { all.isEmpty }

    /// Whether the flow has neither shown nor refused the screen's last presentation yet.
    func isPending(_ screen: UIViewController) -> Bool {
        endDropped()
        for index in all.indices where all[index].isPending && all[index].isOf(screen) { return true }
        return false
    }

    /// Adds a presentation.
    func begin(_ presentation: PaywallPresentation) {
        // Taken out to be changed: so no access can overlap with another, and the compiler leaves out the check for that.
        var presentations = all
        all = []
        presentations.append(presentation)
        all = presentations
    }

    /// Waits for the completion of a flow.
    func expect(_ opening: PaywallOpening) {
        expected = expected + [opening]
    }

    /// Removes a presentation without an end.
    func remove(_ presentation: PaywallPresentation) {
        var presentations = all
        all = []
        for index in presentations.indices where presentations[index] === presentation {
            presentations.remove(at: index)
            break
        }
        all = presentations
    }

    /// Whether any presentation may have ended: a flow has shown it, or its flow has returned without an answer.
    var mayHaveEnded: Bool {
        for index in all.indices where !all[index].isPending { return true }
        return !expected.isEmpty
    }

    /// Removes and returns the presentations whose paywalls are shown no more.
    func removeEnded(_ isEnded: (PaywallPresentation) -> Bool) -> [PaywallPresentation] {
        endDropped()
        var ended: [PaywallPresentation] = []
        for presentation in all where !presentation.isPending && isEnded(presentation) { ended.append(presentation) }
        for presentation in ended { remove(presentation) }
        return ended
    }

    /// The presentation of a screen.
    func presentation(of screen: UIViewController) -> PaywallPresentation? {
        for index in all.indices.reversed() where all[index].isOf(screen) { return all[index] }
        return nil
    }

    /// Ends openings whose flow has dropped its completion.
    private func endDropped() {
        guard !expected.isEmpty else { return }
        // Taken out, so that the array holds no reference while the openings are asked whether anything else does.
        var openings = expected
        expected = []
        var waiting: [PaywallOpening] = []
        while !openings.isEmpty {
            var opening = openings.removeFirst()
            if isKnownUniquelyReferenced(&opening) {
                opening.end()
            } else {
                waiting.append(opening)
            }
        }
        expected = waiting + expected
    }
}

extension PaywallPresentations {
    /// Whether a builder has named the source of any paywall.
    var hasBuiltPaywalls: Bool { !built.isEmpty }

    /// Notes the source that a builder has named for a paywall.
    func setBuilder(_ opener: PaywallOpener, of screen: UIViewController) {
        built = built.filter { $0.screen != nil && $0.screen !== screen } + [Built(screen: screen, opener: opener)]
    }

    /// The source that a builder has named for a paywall.
    func builder(of screen: UIViewController) -> PaywallOpener? {
        for entry in built where entry.screen === screen { return entry.opener }
        return nil
    }
}

extension ScreenTracker {
    /// The paywall that a controller is or shows, and the facts about its class.
    func paywall(in controller: UIViewController) -> (screen: UIViewController, type: PaywallType)? {
        var screen = controller
        var content = types.content(of: screen)
        while case .shown(let next) = content {
            screen = next
            content = types.content(of: screen)
        }
        guard case .screen(let facts) = content, let type = facts.paywall else { return nil }
        return (screen, type)
    }

    /// Begins to present a paywall whose builder has named the source.
    func openBuiltPaywall(in controller: UIViewController) -> PaywallOpening? {
        guard let (screen, _) = paywall(in: controller) else { return nil }
        return presentations.builder(of: screen)?.begin(controller)
    }

    /// Tracks a `paywall_close` for each presentation that has ended.
    func closeEndedPaywalls(as transition: ScreenTransition) {
        guard presentations.mayHaveEnded else { return }
        removeGoneWindows()
        close(presentations.removeEnded { !isShown($0) }, as: transition)
    }

    /// Ends the presentations in a window that has gone.
    func closePaywalls(of window: WindowState) {
        endViews(of: window)
        guard !presentations.isEmpty else { return }
        let id = ObjectIdentifier(window)
        close(presentations.removeEnded { $0.windowState == id || !isShown($0) }, as: .dismiss)
    }

    private func isShown(_ presentation: PaywallPresentation) -> Bool {
        for state in windows where ObjectIdentifier(state) == presentation.windowState {
            return presentation.isShown(in: state.window, base: state.base)
        }
        return presentation.isShown(in: nil, base: nil)
    }

    private func close(_ ended: [PaywallPresentation], as transition: ScreenTransition) {
        guard !ended.isEmpty else { return }
        let now = timeline.elapsed
        for presentation in ended {
            // Something that came on top of a paywall has not ended it; what ended it was a replacement.
            track(presentation.close(transition == .present || transition == .tab ? .replace : transition, at: now))
            for state in windows where state.paywall === presentation { state.paywall = nil }
        }
    }
}
