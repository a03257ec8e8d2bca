import UIPlatform

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
