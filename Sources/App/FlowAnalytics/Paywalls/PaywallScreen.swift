public import UIPlatform

/// A screen that asks for money, and whose events say where it was opened from.
///
/// ```swift
/// enum PaywallSource: String { case home, profile }
///
/// final class PaywallViewController: UIViewController, PaywallScreen {
///     var presentation: Presentation<PaywallSource>?
/// }
/// ```
@MainActor
public protocol PaywallScreen<Source>: UIViewController {
    /// The app's type for where a paywall can be opened from.
    associatedtype Source: RawRepresentable<String> & Sendable

    /// The presentation that the screen is in, or was in last. Set by the attributed flow each time it has presented the
    /// screen, before any completion, and left alone at the dismissal. What takes time, a purchase above all, keeps the
    /// value that it began with.
    var presentation: Presentation<Source>? { get set }
}
