import EventTracking
public import Foundation

/// Buys plans. It is a struct with a closure, so that StoreKit, a test and a simulation can each supply one.
public struct PurchaseService: Sendable {
    /// How a purchase ended.
    public enum Outcome: Sendable, Hashable {
        /// It is paid for.
        case bought
        /// Someone has to approve it. Another outcome follows, unless nobody does.
        case waiting
        /// The person, or whoever was asked to approve, did not want it.
        case canceled
    }

    /// Buys a plan and tells the outcome.
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
    /// What it costs, in ``currency``. A decimal number, so that no cent is lost.
    public var price: Decimal
    /// The ISO 4217 code of the currency.
    public var currency: String

    /// Creates a plan.
    public init(product: String, price: Decimal, currency: String = "EUR") {
        self.product = product
        self.price = price
        self.currency = currency
    }

    /// The facts of a purchase of this plan.
    func facts(of outcome: PurchaseService.Outcome) -> PurchaseFacts {
        let outcome: PurchaseFacts.Outcome =
            switch outcome {
            case .bought: .purchased
            case .waiting: .pending
            case .canceled: .canceled
            }
        return PurchaseFacts(outcome, productID: product, price: price, currency: currency)
    }

    /// A month at a time.
    public static let month = Plan(product: "pro.month", price: 4.99)
    /// A year at once.
    public static let year = Plan(product: "pro.year", price: 39.99)
}
