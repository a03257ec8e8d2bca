/// Where the demo's paywall can be opened from; the raw value is the `paywall_source` of its events.
public enum PaywallSource: String, Sendable, CaseIterable {
    /// The banner on the home screen.
    case home
    /// The badge on the profile.
    case profile
    /// The row in the settings.
    case settings
}
