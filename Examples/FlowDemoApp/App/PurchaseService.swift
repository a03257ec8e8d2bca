/// Buys plans. It is a struct with a closure, so that StoreKit, a test and a simulation can each supply one.
public struct PurchaseService: Sendable {
    /// How a purchase ended.
    public enum Outcome: Sendable, Hashable {
        /// It is paid for.
        case bought
        /// The person, or whoever was asked to approve, did not want it.
        case canceled
    }

    /// Buys a plan and tells the outcome, once.
    ///
    /// That may take long: a purchase that a parent has to approve ends when the paywall is no longer there.
    public var buy: @MainActor (Plan, _ outcome: @escaping @MainActor (Outcome) -> Void) -> Void

    /// Creates a service from what it does.
    public init(buy: @escaping @MainActor (Plan, _ outcome: @escaping @MainActor (Outcome) -> Void) -> Void) {
        self.buy = buy
    }
}

/// What can be bought on the paywall.
public struct Plan: Sendable, Hashable {
    /// Names the product in the store.
    public var product: String
    /// What it costs, in ``currency``.
    public var price: Double
    /// The ISO 4217 code of the currency.
    public var currency: String

    /// Creates a plan.
    public init(product: String, price: Double, currency: String = "EUR") {
        self.product = product
        self.price = price
        self.currency = currency
    }

    /// A month at a time.
    public static let month = Plan(product: "pro.month", price: 4.99)
    /// A year at once.
    public static let year = Plan(product: "pro.year", price: 39.99)
}
