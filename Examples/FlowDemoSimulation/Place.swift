/// Where a person is in the app, as far as it decides what comes next.
enum Place: Hashable, CaseIterable {
    case home
    case profile
    case settings
    case paywall
    /// The paywall, while the shop works on an order.
    case checkout
}
