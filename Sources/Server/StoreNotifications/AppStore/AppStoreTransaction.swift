/// The payload of `signedTransactionInfo`:
/// [`JWSTransactionDecodedPayload`](https://developer.apple.com/documentation/appstoreserverapi/jwstransactiondecodedpayload).
///
/// All times are milliseconds since 1970. A field whose type has changed is absent, so that it breaks nothing else.
struct AppStoreTransaction: SignedPayload {
    var transactionId: String?
    var originalTransactionId: String?
    var bundleId: String?
    var environment: String?
    var productId: String?
    var purchaseDate: Int64?
    var expiresDate: Int64?
    var revocationDate: Int64?
    /// The refunded part of the price in thousandths of a percent: 40,000 is 40 %.
    var revocationPercentage: Int64?
    var signedDate: Int64?
    /// The install, if the app has set it so.
    var appAccountToken: String?
    /// `PURCHASED` or `FAMILY_SHARED`.
    var inAppOwnershipType: String?
    var offerType: Int?
    var offerDiscountType: String?
    /// In thousandths of the currency's unit, for the whole quantity.
    var price: Int64?
    var currency: String?

    private enum CodingKeys: String, CodingKey {
        case transactionId, originalTransactionId, bundleId, environment, productId, purchaseDate, expiresDate
        case revocationDate, revocationPercentage, signedDate, appAccountToken, inAppOwnershipType
        case offerType, offerDiscountType, price, currency
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        // What decides whether the transaction is taken must be as documented.
        bundleId = try fields.decodeIfPresent(String.self, forKey: .bundleId)
        environment = try fields.decodeIfPresent(String.self, forKey: .environment)
        signedDate = try fields.decodeIfPresent(Int64.self, forKey: .signedDate)
        transactionId = fields.text(.transactionId)
        originalTransactionId = fields.text(.originalTransactionId)
        productId = fields.text(.productId)
        purchaseDate = fields.integer(.purchaseDate)
        expiresDate = fields.integer(.expiresDate)
        revocationDate = fields.integer(.revocationDate)
        revocationPercentage = fields.integer(.revocationPercentage)
        appAccountToken = fields.text(.appAccountToken)
        inAppOwnershipType = fields.text(.inAppOwnershipType)
        offerType = fields.integer(.offerType).flatMap(Int.init(exactly:))
        offerDiscountType = fields.text(.offerDiscountType)
        price = fields.integer(.price)
        currency = fields.text(.currency)
    }
}
