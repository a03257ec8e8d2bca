public import FlowAnalytics
public import FlowSwiftUI
public import Foundation

/// The profile, which is in SwiftUI, as the flows of UIKit show it.
public final class ProfileViewController: UIHostingController<ProfileView>, ScreenNamed {
    /// Where the profile leads.
    public enum Route: Sendable, Hashable {
        /// The paywall was wanted.
        case paywall
    }

    /// The name of the screen in events.
    public let screenName = "profile"

    init(handle: @escaping @MainActor (Route) -> Void) {
        super.init(rootView: ProfileView(handle: handle))
    }

    /// Always `nil`: there are no storyboards to decode the screen from.
    public required init?(coder: NSCoder) { nil }

    /// The badge was tapped.
    public func openPaywall() {
        rootView.openPaywall()
    }
}
