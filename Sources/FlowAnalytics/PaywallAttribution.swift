public import Analytics
public import Events
import FlowKit
import UIPlatform

/// Makes the presentations of an app's paywalls: one for each ``ScreenTracker``, for the app's own type of sources.
///
/// ```swift
/// let paywalls = PaywallAttribution<PaywallSource>(screens)
/// let home = flow.attributed(to: .home, by: paywalls)
/// ```
public struct PaywallAttribution<Source: RawRepresentable<String> & Sendable>: Sendable {
    private let screens: ScreenTracker
    private let makeID: @Sendable () -> String

    /// Creates an attribution.
    ///
    /// - Parameters:
    ///   - screens: what the flows are tracked by; the events of a presentation go where its screen views go.
    ///   - ids: makes the `presentation_id`s.
    ///   - now: the time that goes into an id.
    public init(
        _ screens: ScreenTracker,
        ids: IDGenerator = .uuidV7(),
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.screens = screens
        makeID = { ids(at: now()) }
    }

    /// Begins to present a controller. `nil` where that needs no presentation of a paywall: there is no paywall in it,
    /// it is shown already and will be refused, or another decorator has begun with it.
    @MainActor
    func begin(_ controller: UIViewController, from source: Source) -> PaywallPresentation? {
        var screen = controller
        while screens.types.facts(of: screen).isContainer, let shown = screens.types.content(of: screen) {
            screen = shown
        }
        guard screens.types.facts(of: screen).isPaywall, let paywall = screen as? any PaywallScreen,
            paywall.isOpened(from: Source.self), !controller.isInHierarchy,
            screens.presentations.presentation(of: screen)?.isPending != true
        else { return nil }
        let id = makeID()
        let rawSource = source.rawValue
        let track = screens.track
        let presentation = PaywallPresentation(
            id: id,
            source: rawSource,
            screen: screen,
            presented: controller,
            give: { paywall.accept(id: id, source: rawSource, track: track) }
        )
        screens.presentations.begin(presentation)
        return presentation
    }

    /// The flow is done with what was begun.
    @MainActor
    func end(_ presentation: PaywallPresentation) {
        screens.presentations.end(presentation)
    }
}

// Casts to `any PaywallScreen<Source>` or to `Presentation<Source>` would say the same; they take the runtime longer than
// everything else that the decorators do.
extension PaywallScreen {
    fileprivate func isOpened<Other>(from source: Other.Type) -> Bool {
        Source.self == source
    }

    /// Takes the presentation over. The raw value is one of this screen's own sources, so that there is a source for it.
    fileprivate func accept(id: String, source: String, track: @escaping @Sendable (EventDraft) -> Void) {
        guard let source = Source(rawValue: source) else { return }
        presentation = Presentation(id: id, source: source, track: track)
    }
}
