import EventTracking
import FlowEvents
import FlowKit
import UIPlatform

/// Begins the presentations of one source.
final class PaywallOpener: Sendable {
    let screens: ScreenTracker
    let origin: PaywallOrigin
    private let ids: IDGenerator
    private let now: @Sendable () -> Timestamp

    init(screens: ScreenTracker, origin: PaywallOrigin, ids: IDGenerator, now: @escaping @Sendable () -> Timestamp) {
        self.screens = screens
        self.origin = origin
        self.ids = ids
        self.now = now
    }

    /// Begins to present a controller. `nil` if no presentation begins: there is no paywall in it, it is shown already and
    /// will be refused, or another decorator has begun the presentation.
    @MainActor
    func begin(_ controller: UIViewController) -> PaywallOpening? {
        guard let (screen, type) = screens.paywall(in: controller), type.source == origin.type,
            !controller.isInHierarchy, !screens.presentations.isPending(screen)
        else { return nil }
        if screens.presentations.hasBuiltPaywalls, let built = screens.presentations.builder(of: screen) {
            #if DEBUG
            if built.origin.name != origin.name {
                screens.auditTrail.add(
                    .sourcesDisagree(
                        controller: "\(Swift.type(of: screen))",
                        built: built.origin.name,
                        flow: origin.name
                    )
                )
            }
            #endif
            return built.open(screen, type, in: controller)
        }
        return open(screen, type, in: controller)
    }

    @MainActor
    func open(_ screen: UIViewController, _ type: PaywallType, in controller: UIViewController) -> PaywallOpening {
        let presentation = PaywallPresentation(
            id: ids(at: now()),
            origin: origin,
            screen: screen,
            container: screen === controller ? nil : controller,
            fallbackName: type.fallback
        )
        // Before the flow loads the view: what `viewDidLoad` tracks belongs to the presentation.
        let previous = type.exchange(screen, PresentationTag(id: presentation.id, origin: origin))
        screens.presentations.begin(presentation)
        return PaywallOpening(presentation, of: screen, type, in: controller, previous, screens.presentations)
    }
}

/// The presentation of a paywall that a flow has neither shown nor refused yet.
///
/// The flow's completion holds it. If a flow drops the completion, nothing else holds it.
@MainActor
final class PaywallOpening {
    private let presentation: PaywallPresentation
    private let controller: UIViewController
    /// The paywall, if it is not the controller itself.
    private let contained: UIViewController?
    private let type: PaywallType
    private let previous: PresentationTag?
    private let presentations: PaywallPresentations
    /// What to call after the flow's completion. Kept here, so that the flow's completion holds only the opening, and needs
    /// no memory of its own.
    var completion: (() -> Void)?
    /// The flow's current controller, which is the only sign of a root before its window is visible.
    var currentViewController: @MainActor () -> UIViewController? = { nil }

    init(
        _ presentation: PaywallPresentation,
        of screen: UIViewController,
        _ type: PaywallType,
        in controller: UIViewController,
        _ previous: PresentationTag?,
        _ presentations: PaywallPresentations
    ) {
        self.presentation = presentation
        self.controller = controller
        contained = screen === controller ? nil : screen
        self.type = type
        self.previous = previous
        self.presentations = presentations
    }

    /// The flow's closure has returned. If nothing else refers to the opening and the paywall is not shown, the flow has
    /// dropped its completion, and has refused the paywall.
    static func returned(_ opening: inout PaywallOpening) {
        guard opening.presentation.isPending else { return }
        opening.confirmIfShown()
        guard opening.presentation.isPending else { return }
        if isKnownUniquelyReferenced(&opening) { return opening.end() }
        opening.presentations.expect(opening)
    }

    /// The flow has called its completion.
    func complete() {
        end()
        completion?()
    }

    /// Ends the opening when the flow has shown or refused the paywall in place of another controller: on a later turn if a
    /// presentation or dismissal of that one is running.
    func end(in controller: UIViewController, replacing replaced: UIViewController?) {
        controller.afterReplacing(replaced) { self.end() }
        if presentation.isPending { presentations.expect(self) }
    }

    /// The flow has shown or refused the paywall.
    func end() {
        guard presentation.isPending else { return }
        confirmIfShown()
        guard presentation.isPending else { return }
        presentations.remove(presentation)
        presentation.refuse()
        _ = type.exchange(contained ?? controller, previous)
    }

    private func confirmIfShown() {
        presentation.confirmIfShown(controller, before: currentViewController)
    }
}
