/// An action of a person in the app.
public enum Move: String, Sendable, CaseIterable {
    /// Opens the profile.
    case openProfile
    /// Opens the settings.
    case openSettings
    /// Opens the paywall from the current screen.
    case openPaywall
    /// Switches notifications on or off.
    case toggleNotifications
    /// Taps the back button.
    case goBack
    /// Swipes back.
    case swipeBack
    /// Begins to swipe back, and cancels.
    case cancelSwipeBack
    /// Selects a plan.
    case selectPlan
    /// Buys.
    case buy
    /// Waits for the shop.
    case wait
    /// Taps the close button of the paywall.
    case closePaywall
    /// Swipes the paywall away.
    case swipePaywallAway
    /// Begins to swipe the paywall away, and cancels.
    case cancelSwipeAway
    /// Leaves the app.
    case leave
}

/// The place of a person in the app, which decides the next move.
enum Place: Hashable, CaseIterable {
    case home
    case profile
    case settings
    case paywall
    /// The paywall, while the shop works on an order.
    case checkout
}
