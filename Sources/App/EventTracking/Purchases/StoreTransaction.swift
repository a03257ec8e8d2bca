#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
package import FlowEvents

/// The facts of a store's transaction from which it is decided whether it is a purchase of this install.
package struct StoreTransaction: Sendable, Hashable {
    /// The store's id.
    package var id: String
    /// The store's id of the first transaction; the same as ``id`` if this is the first.
    package var originalID: String
    package var productID: String
    /// Whether the product is a subscription that renews itself. Each period is a transaction of its own.
    package var isRenewable = false
    /// When the person bought it, by the store's clock.
    package var purchasedAt: Timestamp
    /// When the store handed the transaction out, by the same clock.
    package var signedAt: Timestamp
    /// Whether the store has taken it back.
    package var isRevoked = false
    /// Whether someone else has paid: another person of the family, or an organization.
    package var isPaidByOthers = false
    /// Whether a subscription has renewed itself.
    package var isRenewal = false
    /// The account that the app has named at the purchase.
    package var accountToken: UUID?
    package var price: Decimal?
    package var currency: String?
    package var offer: PurchaseOffer?
    package var environment: PurchaseEnvironment?

    /// Creates a transaction that is bought and handed out at the same time.
    package init(id: String, originalID: String? = nil, productID: String, purchasedAt: Timestamp) {
        self.id = id
        self.originalID = originalID ?? id
        self.productID = productID
        self.purchasedAt = purchasedAt
        signedAt = purchasedAt
    }

    /// Returns the facts of the purchase.
    ///
    /// - Parameter product: what is known of the product, for a transaction that does not say its price. It is not the price
    ///   of an offer.
    package func facts(of product: PurchaseFacts? = nil) -> PurchaseFacts {
        let isListPrice = price == nil && offer == PurchaseOffer.none
        return PurchaseFacts(
            .purchased,
            productID: productID,
            transactionID: id,
            originalTransactionID: originalID,
            price: isListPrice ? product?.price : price ?? (offer == .trial ? 0 : nil),
            currency: currency ?? product?.currency,
            offer: offer,
            environment: environment
        )
    }
}
