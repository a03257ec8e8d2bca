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
    func begin(_ controller: UIViewController, from source: Source) -> Attempt? {
        var screen = controller
        while let shown = (screen as? any ScreenContainer)?.shownViewController { screen = shown }
        guard let paywall = screen as? any PaywallScreen<Source>, !controller.isInHierarchy,
            !screens.presentations.isPending(screen)
        else { return nil }
        let presentation = Presentation(id: makeID(), source: source, track: screens.track)
        screens.presentations.begin(id: presentation.id, source: source.rawValue, screen: screen, outermost: controller)
        return Attempt(screens: screens, paywall: paywall, controller: controller, presentation: presentation)
    }

    /// A presentation that the flow has not accepted or refused yet.
    @MainActor
    struct Attempt {
        let screens: ScreenTracker
        let paywall: any PaywallScreen<Source>
        let controller: UIViewController
        let presentation: Presentation<Source>

        /// Hands the presentation to the paywall as soon as that is shown; `false` where it is not.
        @discardableResult
        func acceptIfShown() -> Bool {
            guard screens.presentations.isPending(paywall) else { return true }
            guard controller.isInHierarchy else { return false }
            screens.presentations.accept(presentation.id)
            paywall.presentation = presentation
            return true
        }

        /// The flow is done: what is not shown now was refused.
        func end() {
            if !acceptIfShown() { screens.presentations.remove(presentation.id) }
        }
    }
}
