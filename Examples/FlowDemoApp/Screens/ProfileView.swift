public import FlowSwiftUI

/// Who the person is, with a badge that leads to the paywall.
public struct ProfileView: View {
    let handle: @MainActor (ProfileViewController.Route) -> Void

    /// What the profile shows.
    public var body: some View {
        Button("Upgrade", action: openPaywall)
    }

    /// The badge was tapped.
    func openPaywall() {
        handle(.paywall)
    }
}
