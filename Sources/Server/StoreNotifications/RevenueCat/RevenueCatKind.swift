import Foundation

/// Which of RevenueCat's event types become which events.
enum RevenueCatKind {
    /// All [types](https://www.revenuecat.com/docs/integrations/webhooks/event-types-and-fields) that this release knows.
    static let types: Set<String> = [
        "BILLING_ISSUE", "CANCELLATION", "EXPERIMENT_ENROLLMENT", "EXPIRATION", "INITIAL_PURCHASE", "INVOICE_ISSUANCE",
        "NON_RENEWING_PURCHASE", "PRODUCT_CHANGE", "REFUND_REVERSED", "RENEWAL", "SUBSCRIBER_ALIAS",
        "SUBSCRIPTION_EXTENDED", "SUBSCRIPTION_PAUSED", "TEMPORARY_ENTITLEMENT_GRANT", "TEST", "TRANSFER",
        "UNCANCELLATION", "VIRTUAL_CURRENCY_TRANSACTION",
    ]

    /// The type for metrics: a sender must not create names of its own.
    static func label(_ type: String) -> String { types.contains(type) ? type : "other" }

    /// The event that RevenueCat's event becomes; `nil` for one that funnels do not need.
    static func kind(of event: RevenueCatEvent) -> StoreEvent.Kind? {
        switch event.type {
        case "INITIAL_PURCHASE", "NON_RENEWING_PURCHASE": .purchase
        case "RENEWAL": .renewal
        // Most cancellations only end the renewal. `CUSTOMER_SUPPORT` is a refund, and so is a price below zero.
        case "CANCELLATION": event.cancelReason == "CUSTOMER_SUPPORT" || event.amount?.value ?? 0 < 0 ? .refund : nil
        case "EXPIRATION": .expiration
        default: nil
        }
    }
}
