public import UIPlatform

/// A screen that sells something. Its events say where it was opened from.
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

    /// The current or last presentation of the screen. An attributed flow sets it before it loads the view, and restores
    /// the previous value if the presentation is refused. A dismissal leaves it alone. Code that takes time, such as a
    /// purchase, keeps the value that it began with.
    var presentation: Presentation<Source>? { get set }
}
