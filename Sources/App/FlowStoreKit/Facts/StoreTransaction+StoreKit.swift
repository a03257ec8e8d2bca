import EventTracking
import FlowEvents
import Foundation

extension StoreTransaction {
    /// The facts of a transaction of StoreKit.
    init(_ transaction: Transaction) {
        self.init(
            id: String(transaction.id),
            originalID: String(transaction.originalID),
            productID: transaction.productID,
            purchasedAt: Timestamp(transaction.purchaseDate)
        )
        isRenewable = transaction.productType == .autoRenewable
        signedAt = Timestamp(transaction.signedDate)
        isRevoked = transaction.revocationDate != nil
        isPaidByOthers = transaction.ownershipType != .purchased
        isRenewal = transaction.reason == .renewal
        accountToken = transaction.appAccountToken
        price = transaction.price
        currency = transaction.currency?.identifier
        offer = transaction.purchaseOffer
        // Xcode's own store is one for tests, too.
        environment = transaction.environment == .production ? .production : .sandbox
    }
}

extension Transaction {
    fileprivate var purchaseOffer: PurchaseOffer? {
        if #available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *) {
            // The type by its number: some of the types have names in newer systems only.
            let paymentMode = offer?.paymentMode == .freeTrial ? "freeTrial" : nil
            return PurchaseOffer(appStoreType: offer?.type.rawValue, paymentMode: paymentMode)
        }
        return PurchaseOffer(appStoreType: offerType?.rawValue, paymentMode: offerPaymentModeStringRepresentation)
    }
}

extension Timestamp {
    fileprivate init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
