import EventTracking
import UIPlatform

/// Where paywalls are opened from, and the way to track what belongs to them: one for each flow that is attributed.
///
/// A class without the app's type as a parameter. Nothing then has to ask the runtime for generic types at each
/// presentation, which takes longer than everything else that the decorators do.
final class PaywallOrigin: Sendable {
    /// The `paywall_source`.
    let name: String
    /// The app's value.
    let source: any Sendable
    /// The app's type of sources.
    let type: ObjectIdentifier
    let track: @Sendable (EventDraft) -> Void

    init<Source: RawRepresentable<String> & Sendable>(
        _ source: Source,
        track: @escaping @Sendable (EventDraft) -> Void
    ) {
        name = source.rawValue
        self.source = source
        type = ObjectIdentifier(Source.self)
        self.track = track
    }
}

/// What there is to know of a class of paywalls, found out once.
///
/// A class, so that handing it out copies one reference.
final class PaywallType {
    /// The app's type of sources.
    let source: ObjectIdentifier
    /// Hands a presentation to a paywall of the class. The origin's source must be of the type ``source``.
    let accept: @MainActor (UIViewController, _ id: String, PaywallOrigin) -> Void

    init<Screen: PaywallScreen>(_ type: Screen.Type) {
        source = ObjectIdentifier(Screen.Source.self)
        accept = { controller, id, origin in
            guard let screen = controller as? Screen else { return }
            screen.presentation = Presentation(id: id, origin: origin)
        }
    }
}
