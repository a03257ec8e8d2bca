import UIPlatform

/// Which paywall is in which presentation.
///
/// Loops and no `removeAll(where:)` or `first(where:)`: a main-actor closure that the standard library calls asks the
/// runtime each time whether it is on the main actor.
@MainActor
final class PaywallPresentations {
    private var all: [PaywallPresentation] = []

    /// Whether the flow has neither shown nor refused the screen's last presentation yet.
    func isPending(_ screen: UIViewController) -> Bool {
        for presentation in all where presentation.isPending && presentation.isOf(screen) { return true }
        return false
    }

    /// Adds a presentation, in place of the screen's last one.
    func begin(_ presentation: PaywallPresentation, of screen: UIViewController) {
        for index in all.indices where all[index].isOf(screen) {
            all[index] = presentation
            return
        }
        all.append(presentation)
    }

    /// The flow is done with it: what has not been shown was refused.
    func end(_ presentation: PaywallPresentation) {
        guard presentation.isPending else { return }
        for index in all.indices where all[index] === presentation {
            all.remove(at: index)
            return
        }
    }

    /// Forgets what is shown no more, so that it is not taken for the screen's next presentation.
    func removeEnded() {
        for index in all.indices.reversed() where !all[index].isPending && !all[index].isShown {
            all.remove(at: index)
        }
    }

    /// The presentation that the screen is in.
    func presentation(of screen: UIViewController) -> PaywallPresentation? {
        for presentation in all where presentation.isOf(screen) { return presentation }
        return nil
    }
}
