public import FlowAnalytics
public import Foundation
public import UIPlatform

/// Who the person is, with a badge that leads to the paywall.
public final class ProfileViewController: UIViewController, ScreenNamed {
    /// Where the profile leads.
    public enum Route: Sendable, Hashable {
        /// The paywall was wanted.
        case paywall
    }

    /// The name of the screen in events.
    public let screenName = "profile"
    private let handle: @MainActor (Route) -> Void

    init(handle: @escaping @MainActor (Route) -> Void) {
        self.handle = handle
        super.init(nibName: nil, bundle: nil)
    }

    /// Always `nil`: there are no storyboards to decode the screen from.
    public required init?(coder: NSCoder) { nil }

    /// The badge was tapped.
    public func openPaywall() {
        handle(.paywall)
    }
}
