import EventTracking
import UIPlatform

/// The source of a flow's paywalls, and where their events go.
///
/// An object without the app's type as a parameter. So nothing has to ask the runtime for generic types at each
/// presentation, which takes longer than everything else that the decorators do.
final class PaywallOrigin: Sendable {
    /// The `paywall_source`.
    let name: String
    /// The app's value.
    let source: any Sendable
    /// The app's type of sources.
    let type: ObjectIdentifier
    let track: @Sendable (consuming EventDraft) -> Void
    /// Counts what is bought.
    let purchases: PurchaseJournal

    /// Creates the origin of paywalls whose events go where screen views go.
    convenience init<Source: RawRepresentable<String> & Sendable>(_ source: Source, _ screens: ScreenTracker) {
        self.init(source, purchases: screens.purchases, track: screens.track)
    }

    init<Source: RawRepresentable<String> & Sendable>(
        _ source: Source,
        purchases: PurchaseJournal,
        track: @escaping @Sendable (consuming EventDraft) -> Void
    ) {
        name = source.rawValue
        self.source = source
        self.purchases = purchases
        type = ObjectIdentifier(Source.self)
        self.track = track
    }
}

/// A ``Presentation`` without the app's type.
struct PresentationTag {
    let id: String
    let origin: PaywallOrigin
}

/// The facts about a class of paywalls. An object, so that handing it out copies one reference.
final class PaywallType {
    /// The app's type of sources.
    let source: ObjectIdentifier
    /// The name of a paywall that has no other name.
    let fallback: String
    /// Sets the presentation of a paywall of the class, and returns the one before. The origin's source must be of the
    /// type ``source``.
    let exchange: @MainActor (UIViewController, consuming PresentationTag?) -> PresentationTag?

    init<Screen: PaywallScreen>(_ type: Screen.Type, fallback: String) {
        self.fallback = fallback
        source = ObjectIdentifier(Screen.Source.self)
        exchange = { controller, tag in
            guard let screen = controller as? Screen else { return nil }
            let previous = screen.presentation?.tag
            // Not by a closure: as one of the main actor it would ask the runtime each time where it runs.
            if let tag {
                screen.presentation = Presentation(tag: tag)
            } else {
                screen.presentation = nil
            }
            return previous
        }
    }
}
