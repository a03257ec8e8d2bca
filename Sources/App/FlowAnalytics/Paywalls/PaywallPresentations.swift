import EventTracking
import UIPlatform

/// The presentations that have not ended, and the paywalls whose builders have named their source.
///
/// It uses loops in place of `removeAll(where:)` and `first(where:)`: a main-actor closure that the standard library calls
/// asks the runtime each time whether it is on the main actor.
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
        for presentation in all where presentation.isPending && presentation.isOf(screen) { return true }
        return false
    }

    /// Adds a presentation.
    func begin(_ presentation: PaywallPresentation, of screen: UIViewController) {
        all.append(presentation)
    }

    /// Waits for the completion of a flow.
    func expect(_ opening: PaywallOpening) {
        expected.append(opening)
    }

    /// Removes a presentation without an end.
    func remove(_ presentation: PaywallPresentation) {
        for index in all.indices where all[index] === presentation {
            all.remove(at: index)
            return
        }
    }

    /// Removes and returns the presentations whose paywalls are shown no more.
    func removeEnded(_ isEnded: (PaywallPresentation) -> Bool = { !$0.isShown }) -> [PaywallPresentation] {
        endDropped()
        var ended: [PaywallPresentation] = []
        for index in all.indices.reversed() where !all[index].isPending && isEnded(all[index]) {
            ended.append(all.remove(at: index))
        }
        return ended.reversed()
    }

    /// The presentation of a screen.
    func presentation(of screen: UIViewController) -> PaywallPresentation? {
        for presentation in all.reversed() where presentation.isOf(screen) { return presentation }
        return nil
    }

    /// Ends openings whose flow has dropped its completion.
    private func endDropped() {
        guard !expected.isEmpty else { return }
        var index = 0
        while index < expected.count {
            var opening = expected.remove(at: index)
            if isKnownUniquelyReferenced(&opening), !opening.isWaiting {
                opening.end()
            } else {
                expected.insert(opening, at: index)
                index += 1
            }
        }
    }
}

extension PaywallPresentations {
    /// Whether a builder has named the source of any paywall.
    var hasBuiltPaywalls: Bool { !built.isEmpty }

    /// Notes the source that a builder has named for a paywall.
    func setBuilder(_ opener: PaywallOpener, of screen: UIViewController) {
        built.removeAll { $0.screen == nil || $0.screen === screen }
        built.append(Built(screen: screen, opener: opener))
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
        guard !presentations.isEmpty else { return }
        removeGoneWindows()
        close(presentations.removeEnded(), as: transition)
    }

    /// Ends the presentations in a window that has gone.
    func closePaywalls(of window: WindowState) {
        guard !presentations.isEmpty else { return }
        close(presentations.removeEnded { $0.windowState == ObjectIdentifier(window) || !$0.isShown }, as: .dismiss)
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
