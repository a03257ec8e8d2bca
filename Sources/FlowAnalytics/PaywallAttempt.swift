import FlowKit
import UIPlatform

/// A presentation of a paywall that the flow has not accepted or refused yet.
@MainActor
struct PaywallAttempt<Source: RawRepresentable<String> & Sendable> {
    private let presentation: Presentation<Source>
    private let paywall: any PaywallScreen
    private let controller: UIViewController
    private let record: PaywallPresentations.Record
    private let screens: ScreenTracker

    /// Begins to present the controller, which is the paywall or a container around it.
    init(
        _ presentation: Presentation<Source>,
        of paywall: any PaywallScreen,
        in controller: UIViewController,
        screens: ScreenTracker
    ) {
        self.presentation = presentation
        self.paywall = paywall
        self.controller = controller
        self.screens = screens
        record = PaywallPresentations.Record(
            id: presentation.id,
            source: presentation.source.rawValue,
            screen: paywall,
            outermost: controller
        )
        screens.presentations.begin(record)
    }

    /// Hands the presentation to the paywall as soon as that is shown.
    func acceptIfShown() {
        guard record.isPending, controller.isInHierarchy else { return }
        record.isPending = false
        paywall.accept(presentation)
    }

    /// The flow is done: what is not shown now was refused.
    func end() {
        acceptIfShown()
        if record.isPending { screens.presentations.remove(record) }
    }
}

// A cast to `any PaywallScreen<Source>` would say the same; it takes the runtime about as long as everything else that
// the decorators do together.
extension PaywallScreen {
    fileprivate func accept<Other>(_ presentation: Presentation<Other>) {
        guard let presentation = presentation as? Presentation<Source> else { return }
        self.presentation = presentation
    }

    /// Whether the type is that of the paywall's sources.
    func isOpened<Other>(from source: Other.Type) -> Bool {
        Source.self == source
    }
}
