/// What the simulated App Store says: the fields of Apple's
/// [`responseBodyV2DecodedPayload`](https://developer.apple.com/documentation/appstoreservernotifications/responsebodyv2decodedpayload)
/// and of what is signed inside it. Times are milliseconds since 1970.
public struct StoreNotification: Sendable {
    /// The type, such as `DID_RENEW`.
    public var notificationType: String
    /// The subtype, for some types.
    public var subtype: String?
    /// Identifies the notification.
    public var notificationUUID: String
    /// When it is signed.
    public var signedDate: Int64?
    /// The app's bundle id.
    public var bundleId: String
    /// The app's number in App Store Connect.
    public var appAppleId: Int64? = 1_234_567_890
    /// `Production` or `Sandbox`.
    public var environment = "Production"
    /// The transaction; `nil` for types without one.
    public var transaction: Transaction?
    /// Whether it has `signedRenewalInfo`.
    public var hasRenewalInfo = true

    /// Creates a notification of the production environment.
    public init(
        _ notificationType: String,
        _ subtype: String? = nil,
        uuid: String,
        signedDate: Int64?,
        bundleId: String,
        transaction: Transaction?
    ) {
        self.notificationType = notificationType
        self.subtype = subtype
        notificationUUID = uuid
        self.signedDate = signedDate
        self.bundleId = bundleId
        self.transaction = transaction
    }

    /// A transaction: the fields of
    /// [`JWSTransactionDecodedPayload`](https://developer.apple.com/documentation/appstoreserverapi/jwstransactiondecodedpayload).
    public struct Transaction: Encodable, Sendable {
        /// The transaction's id.
        public var transactionId: String?
        /// The id of the subscription's first transaction.
        public var originalTransactionId: String?
        /// The app's bundle id.
        public var bundleId: String?
        /// `Production` or `Sandbox`.
        public var environment: String? = "Production"
        /// The product.
        public var productId: String? = "pro.year"
        /// The kind of product.
        public var type: String? = "Auto-Renewable Subscription"
        /// When the transaction was made.
        public var purchaseDate: Int64?
        /// When the period ends.
        public var expiresDate: Int64?
        /// When the store gave the money back.
        public var revocationDate: Int64?
        /// The part that was given back, in thousandths of a percent.
        public var revocationPercentage: Int64?
        /// When it is signed.
        public var signedDate: Int64?
        /// The install.
        public var appAccountToken: String?
        /// `PURCHASED` or `FAMILY_SHARED`.
        public var inAppOwnershipType: String? = "PURCHASED"
        /// 1: introductory, 2: promotional, 3: code, 4: to win back.
        public var offerType: Int?
        /// `FREE_TRIAL`, `PAY_AS_YOU_GO` or `PAY_UP_FRONT`.
        public var offerDiscountType: String?
        /// `PURCHASE` or `RENEWAL`.
        public var transactionReason: String? = "PURCHASE"
        /// The price in thousandths.
        public var price: Int64?
        /// The ISO 4217 code of the price's currency.
        public var currency: String? = "EUR"
        /// The country of the App Store.
        public var storefront: String? = "DEU"

        /// Creates a transaction of the production environment.
        public init(_ id: String, original: String? = nil, bundleId: String, price: Int64?, at purchaseDate: Int64) {
            transactionId = id
            originalTransactionId = original ?? id
            self.bundleId = bundleId
            self.price = price
            self.purchaseDate = purchaseDate
            signedDate = purchaseDate
        }
    }
}
