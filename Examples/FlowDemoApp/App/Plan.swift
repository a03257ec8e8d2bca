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
