/// Which of the App Store's notification types become which events.
enum AppStoreKind {
    /// All types of [`notificationType`](https://developer.apple.com/documentation/appstoreservernotifications/notificationtype)
    /// that this release knows.
    static let types: Set<String> = [
        "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW", "DID_RENEW",
        "EXPIRED", "EXTERNAL_PURCHASE_TOKEN", "GRACE_PERIOD_EXPIRED", "METADATA_UPDATE", "MIGRATION", "OFFER_REDEEMED",
        "ONE_TIME_CHARGE", "PRICE_CHANGE", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED",
        "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "RESCIND_CONSENT", "REVOKE", "SUBSCRIBED", "TEST",
    ]

    /// The type for metrics: a sender must not create names of its own.
    static func label(_ type: String) -> String { types.contains(type) ? type : "other" }

    /// The event of a type; `nil` for a type that funnels do not need.
    static func kind(of type: String, _ subtype: String?) -> StoreEvent.Kind? {
        switch (type, subtype) {
        case ("SUBSCRIBED", _), ("ONE_TIME_CHARGE", _): .purchase
        // What the App Store sent before it had `SUBSCRIBED` for offers.
        case ("OFFER_REDEEMED", "INITIAL_BUY"), ("OFFER_REDEEMED", "RESUBSCRIBE"): .purchase
        case ("DID_RENEW", _): .renewal
        // An upgrade is paid at once, with a transaction of its own. A downgrade waits for the next renewal.
        case ("DID_CHANGE_RENEWAL_PREF", "UPGRADE"), ("OFFER_REDEEMED", "UPGRADE"): .renewal
        case ("REFUND", _): .refund
        case ("EXPIRED", _): .expiration
        default: nil
        }
    }
}
