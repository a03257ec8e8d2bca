import EventTracking
import FlowEvents
import Foundation

extension StoreEvent {
    /// Creates the event of one of RevenueCat's.
    init(_ kind: Kind, of event: RevenueCatEvent, source: String, now: Timestamp) {
        let said = event.eventTimestamp.map(Timestamp.init(milliseconds:)) ?? now
        let happened: Int64? =
            switch kind {
            case .purchase, .renewal: event.purchasedAt
            // RevenueCat does not say when the store has refunded.
            case .refund: nil
            case .expiration: event.expirationAt
            }
        self.init(
            // Not of the transaction: some stores have one id for all periods of a subscription.
            id: "revenuecat:\(event.id)",
            source: source,
            kind: kind,
            // A renewal has the time of its period, which may begin later.
            time: happened.map { min(said, Timestamp(milliseconds: $0)) } ?? said,
            installID: event.attributes["install_id"]
        )
        presentationID = event.attributes["presentation_id"]
        paywallSource = event.attributes["paywall_source"]
        let amount = kind == .expiration ? nil : event.amount
        price = amount.flatMap { ExactPrice(magnitudeOf: $0.value) }
        set("product_id", event.productID)
        set("transaction_id", event.transactionID)
        set("original_transaction_id", event.originalTransactionID)
        set("currency", StoreEvent.currencyCode(amount?.currency))
        set("offer_type", event.offer?.rawValue)
        set("environment", event.isSandbox ? "sandbox" : "production")
        set("store", event.store?.lowercased())
        set("period_type", event.periodType?.lowercased())
        if let isTrialConversion = event.isTrialConversion {
            properties["is_trial_conversion"] = .bool(isTrialConversion)
        }
    }
}

extension RevenueCatEvent {
    /// Whether no money is paid.
    var isSandbox: Bool { environment == "SANDBOX" }

    /// The price, with the currency that it is in: what the person has paid, and US dollars only where that is not known.
    var amount: (value: Decimal, currency: String?)? {
        if let price = priceInPurchasedCurrency { return (price, currency) }
        return price.map { ($0, "USD") }
    }

    /// The offer that the price is of; `nil` for a period that is newer than this release.
    var offer: PurchaseOffer? {
        switch periodType {
        case "TRIAL": .trial
        case "INTRO": .introductory
        // Granted through RevenueCat.
        case "PROMOTIONAL": .promotional
        case "NORMAL", "PREPAID", nil: offerCode == nil ? PurchaseOffer.none : .code
        default: nil
        }
    }
}
