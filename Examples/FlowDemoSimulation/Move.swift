/// What people do in the app.
public enum Move: String, Sendable, CaseIterable {
    /// Opens the profile.
    case openProfile
    /// Opens the settings.
    case openSettings
    /// Opens the paywall from where they are.
    case openPaywall
    /// Flips a switch.
    case toggleNotifications
    /// Taps the back button.
    case goBack
    /// Swipes back.
    case swipeBack
    /// Begins to swipe back and lets go.
    case cancelSwipeBack
    /// Taps a plan.
    case selectPlan
    /// Buys.
    case buy
    /// Looks on while the shop works.
    case wait
    /// Taps the cross of the paywall.
    case closePaywall
    /// Swipes the paywall away.
    case swipePaywallAway
    /// Begins to swipe the paywall away and lets go.
    case cancelSwipeAway
    /// Puts the phone away.
    case leave
}

/// Where a person is in the app, as far as it decides what comes next.
enum Place: Hashable, CaseIterable {
    case home
    case profile
    case settings
    case paywall
    /// The paywall, while the shop works on an order.
    case checkout
}
