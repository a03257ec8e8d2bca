#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What is known of a purchase, from whatever store or library it comes.
///
/// ```swift
/// let facts = PurchaseFacts(.purchased, productID: "pro.year", price: 39.99, currency: "EUR", offer: .trial)
/// presentation?.track(facts)
/// ```
///
/// `FlowStoreKit` makes the facts of Apple's StoreKit 2. What is `nil` is not in the event.
public struct PurchaseFacts: Sendable, Hashable {
    /// How a purchase ended.
    public enum Outcome: Sendable, Hashable, CaseIterable {
        /// It is made, a free trial included. The event is a `purchase`.
        case purchased
        /// It waits, for a parent or a bank. The event is a `purchase_pending`.
        case pending
        /// The person gave it up. The event is a `purchase_canceled`.
        case canceled
    }

    /// How the purchase ended.
    public var outcome: Outcome
    /// `product_id`: the product's id in the store.
    public var productID: String?
    /// `transaction_id`: the store's id of the transaction. There is none before a purchase is made.
    public var transactionID: String?
    /// `original_transaction_id`: the store's id of the first transaction of a subscription.
    public var originalTransactionID: String?
    /// `price`: what the person pays, with the discount of the offer: 0 for a free trial. Of an outcome without a
    /// transaction, the product's price.
    public var price: Decimal?
    /// `currency`: the ISO 4217 code of the price's currency, in either case.
    public var currency: String?
    /// `offer_type`: the offer that the price is of.
    public var offer: PurchaseOffer?
    /// `environment`: whether money is paid.
    public var environment: PurchaseEnvironment?
    /// `store`: who sells, such as `app_store` or `play_store`.
    public var store: String?

    /// Creates facts, without checking them.
    public init(
        _ outcome: Outcome,
        productID: String? = nil,
        transactionID: String? = nil,
        originalTransactionID: String? = nil,
        price: Decimal? = nil,
        currency: String? = nil,
        offer: PurchaseOffer? = nil,
        environment: PurchaseEnvironment? = nil,
        store: String? = "app_store"
    ) {
        self.outcome = outcome
        self.productID = productID
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.price = price
        self.currency = currency
        self.offer = offer
        self.environment = environment
        self.store = store
    }
}

/// Whether a purchase costs money.
public enum PurchaseEnvironment: String, Sendable, Hashable, CaseIterable {
    /// It does.
    case production
    /// It is a test, in a sandbox or in Xcode.
    case sandbox
}
