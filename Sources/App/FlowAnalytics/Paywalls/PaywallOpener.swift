import EventTracking
import FlowEvents
import FlowKit
import UIPlatform

/// Begins and ends the presentations of one flow that is attributed.
final class PaywallOpener: Sendable {
    private let screens: ScreenTracker
    private let origin: PaywallOrigin
    private let ids: IDGenerator
    private let now: @Sendable () -> Timestamp

    init(screens: ScreenTracker, origin: PaywallOrigin, ids: IDGenerator, now: @escaping @Sendable () -> Timestamp) {
        self.screens = screens
        self.origin = origin
        self.ids = ids
        self.now = now
    }

    /// Begins to present a controller. `nil` where that needs no presentation of a paywall: there is no paywall in it,
    /// it is shown already and will be refused, or another decorator has begun with it.
    @MainActor
    func begin(_ controller: UIViewController) -> PaywallOpening? {
        var screen = controller
        var content = screens.types.content(of: screen)
        while case .shown(let next) = content {
            screen = next
            content = screens.types.content(of: screen)
        }
        guard case .screen(let facts) = content, let type = facts.paywall, type.source == origin.type,
            !controller.isInHierarchy, !screens.presentations.isPending(screen)
        else { return nil }
        let container = screen === controller ? nil : controller
        let presentation = PaywallPresentation(
            id: ids(at: now()),
            origin: origin,
            type: type,
            screen: screen,
            container: container
        )
        screens.presentations.begin(presentation, of: screen)
        return PaywallOpening(presentation: presentation, screen: screen, container: container)
    }

    /// The flow is done with what was begun.
    @MainActor
    func end(_ opening: PaywallOpening) {
        opening.acceptIfShown()
        screens.presentations.end(opening.presentation)
    }
}

/// A presentation of a paywall that is on its way: what keeps the paywall until the flow has shown or refused it.
@MainActor
struct PaywallOpening {
    let presentation: PaywallPresentation
    /// The paywall.
    let screen: UIViewController
    /// The container that is presented around the paywall, where it is not presented by itself.
    let container: UIViewController?

    /// Hands the presentation to the paywall as soon as that is shown.
    func acceptIfShown() {
        presentation.acceptIfShown(screen, in: container)
    }
}
