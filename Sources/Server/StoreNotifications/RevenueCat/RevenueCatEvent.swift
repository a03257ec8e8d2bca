import Foundation

/// The `event` of a RevenueCat webhook, with the
/// [fields](https://www.revenuecat.com/docs/integrations/webhooks/event-types-and-fields) that events need.
///
/// All times are milliseconds since 1970. A field whose type has changed is absent, so that it breaks nothing else.
struct RevenueCatEvent: Decodable {
    var type: String
    /// The same for each attempt to send the event.
    var id: String
    var eventTimestamp: Int64?
    var productID: String?
    /// `TRIAL`, `INTRO`, `NORMAL`, `PROMOTIONAL` or `PREPAID`.
    var periodType: String?
    var purchasedAt: Int64?
    var expirationAt: Int64?
    var store: String?
    /// `PRODUCTION` or `SANDBOX`.
    var environment: String?
    var isTrialConversion: Bool?
    var isFamilyShare: Bool?
    var cancelReason: String?
    /// In US dollars.
    var price: Decimal?
    /// In ``currency``.
    var priceInPurchasedCurrency: Decimal?
    var currency: String?
    var transactionID: String?
    var originalTransactionID: String?
    var offerCode: String?
    /// The values of the customer's attributes, which the app sets.
    var attributes: [String: String] = [:]

    private enum CodingKeys: String, CodingKey {
        case type, id, store, environment, price, currency
        case eventTimestamp = "event_timestamp_ms"
        case productID = "product_id"
        case periodType = "period_type"
        case purchasedAt = "purchased_at_ms"
        case expirationAt = "expiration_at_ms"
        case isTrialConversion = "is_trial_conversion"
        case isFamilyShare = "is_family_share"
        case cancelReason = "cancel_reason"
        case priceInPurchasedCurrency = "price_in_purchased_currency"
        case transactionID = "transaction_id"
        case originalTransactionID = "original_transaction_id"
        case offerCode = "offer_code"
        case attributes = "subscriber_attributes"
    }

    /// The names of the attributes that the contract with the app has.
    private enum Attribute: String, CodingKey, CaseIterable {
        case installID = "install_id"
        case presentationID = "presentation_id"
        case paywallSource = "paywall_source"
    }

    private enum AttributeKeys: String, CodingKey {
        case value
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        type = try fields.decode(String.self, forKey: .type)
        id = try fields.decode(String.self, forKey: .id)
        eventTimestamp = fields.integer(.eventTimestamp)
        productID = fields.text(.productID)
        periodType = fields.text(.periodType)
        purchasedAt = fields.integer(.purchasedAt)
        expirationAt = fields.integer(.expirationAt)
        store = fields.text(.store)
        environment = fields.text(.environment)
        isTrialConversion = fields.bool(.isTrialConversion)
        isFamilyShare = fields.bool(.isFamilyShare)
        cancelReason = fields.text(.cancelReason)
        // `Decimal` reads the digits as they are written.
        price = try? fields.decodeIfPresent(Decimal.self, forKey: .price)
        priceInPurchasedCurrency = try? fields.decodeIfPresent(Decimal.self, forKey: .priceInPurchasedCurrency)
        currency = fields.text(.currency)
        transactionID = fields.text(.transactionID)
        originalTransactionID = fields.text(.originalTransactionID)
        offerCode = fields.text(.offerCode)
        guard let all = try? fields.nestedContainer(keyedBy: Attribute.self, forKey: .attributes) else { return }
        for name in Attribute.allCases {
            let attribute = try? all.nestedContainer(keyedBy: AttributeKeys.self, forKey: name)
            attributes[name.rawValue] = attribute?.text(.value)
        }
    }
}
