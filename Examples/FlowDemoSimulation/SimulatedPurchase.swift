public import FlowEvents
public import Foundation

/// A paid order, as the store has it.
public struct SimulatedPurchase: Sendable, Hashable {
    /// The install, which the app names to the store.
    public var installID: String
    /// The product.
    public var product: String
    /// What the product costs.
    public var price: Decimal
    /// The ISO 4217 code of the price's currency.
    public var currency: String
    /// When it was paid.
    public var time: Timestamp

    /// Creates a purchase.
    public init(installID: String, product: String, price: Decimal, currency: String, time: Timestamp) {
        self.installID = installID
        self.product = product
        self.price = price
        self.currency = currency
        self.time = time
    }
}
