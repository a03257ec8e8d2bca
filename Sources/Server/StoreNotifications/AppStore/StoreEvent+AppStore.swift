import EventTracking
import FlowEvents
import Foundation

extension StoreEvent {
    /// Creates the event of a verified transaction.
    init(
        _ kind: Kind,
        of transaction: AppStoreTransaction,
        in payload: AppStorePayload,
        from app: AppStoreApp,
        _ environment: PurchaseEnvironment,
        now: Timestamp
    ) {
        let said = payload.signedDate.map(Timestamp.init(milliseconds:)) ?? now
        let happened: Int64? =
            switch kind {
            case .purchase, .renewal: transaction.purchaseDate
            case .refund: transaction.revocationDate
            case .expiration: transaction.expiresDate
            }
        self.init(
            id: Self.id(kind, transaction, payload, environment),
            source: app.source,
            kind: kind,
            // The App Store charges up to a day before a period begins, and dates the transaction with the period.
            time: happened.map { min(said, Timestamp(milliseconds: $0)) } ?? said,
            installID: transaction.appAccountToken.flatMap(UUID.init(uuidString:))?.uuidString.lowercased()
        )
        price = Self.price(kind, transaction)
        let offer = PurchaseOffer(appStoreType: transaction.offerType, paymentMode: transaction.offerDiscountType)
        set("product_id", transaction.productId)
        set("transaction_id", transaction.transactionId)
        set("original_transaction_id", transaction.originalTransactionId)
        set("currency", price == nil ? nil : StoreEvent.currencyCode(transaction.currency))
        set("offer_type", offer?.rawValue)
        set("environment", environment.rawValue)
        set("store", "app_store")
    }

    // Of the transaction, so that two notifications about it are one event. A transaction can be refunded in parts.
    private static func id(
        _ kind: Kind,
        _ transaction: AppStoreTransaction,
        _ payload: AppStorePayload,
        _ environment: PurchaseEnvironment
    ) -> String {
        let name = "app_store:\(environment.rawValue):\(kind.rawValue):"
        guard let id = transaction.transactionId else { return name + (payload.notificationUUID ?? "") }
        guard kind == .refund, let time = transaction.revocationDate else { return name + id }
        return name + "\(id):\(time)"
    }

    /// What was paid, or of a refund what was given back. An expiration has no price.
    private static func price(_ kind: Kind, _ transaction: AppStoreTransaction) -> ExactPrice? {
        guard let price = transaction.price, price >= 0, kind != .expiration else { return nil }
        guard kind == .refund, let percentage = transaction.revocationPercentage else {
            return ExactPrice(thousandths: price)
        }
        // 100 % is 100,000. The App Store says no amount, so the part is rounded to the thousandth, half up. In two
        // pieces, because the product of both has more than 64 bits.
        let share = max(0, min(percentage, 100_000))
        let (whole, rest) = price.quotientAndRemainder(dividingBy: 100_000)
        return ExactPrice(thousandths: whole * share + (rest * share + 50_000) / 100_000)
    }
}

extension StoreEvent {
    /// Adds a property that is known.
    mutating func set(_ name: String, _ text: String?) {
        if let text { properties[name] = .string(text) }
    }

    /// A currency's code as ISO 4217 writes it; `nil` for a text that is none.
    static func currencyCode(_ text: String?) -> String? {
        guard let text, text.utf8.count == 3 else { return nil }
        return text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) } ? text.uppercased() : nil
    }
}
