public import Foundation

/// A purchase, or the renewal of a subscription. Apple's cannot be made; here a test sets what it needs.
public struct Transaction: Identifiable, Sendable {
    /// The id in the store.
    public var id: UInt64
    /// The id of the first transaction of a subscription, or of the purchase that this one restores.
    public var originalID: UInt64
    /// What was bought.
    public var productID: String
    /// What kind of product it is.
    public var productType = Product.ProductType.autoRenewable
    /// When it was bought.
    public var purchaseDate: Date
    /// When the App Store has signed the transaction.
    public var signedDate: Date
    /// When the App Store has taken it back.
    public var revocationDate: Date?
    /// Who has paid.
    public var ownershipType = OwnershipType.purchased
    /// Whether the person has bought it, or a subscription has renewed itself.
    public var reason = Reason.purchase
    /// The account that the app has named.
    public var appAccountToken: UUID?
    /// What was paid.
    public var price: Decimal?
    /// The currency of the price.
    public var currency: Locale.Currency?
    /// The offer that the price is of, from iOS 17.2 on.
    public var offer: Offer?
    /// The type of the offer, before iOS 17.2.
    public var offerType: OfferType? { offer?.type }
    /// How the offer is paid, before iOS 17.2.
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
    /// Which App Store has sold it.
    public var environment = AppStore.Environment.production

    /// Creates a transaction that is signed when it is bought.
    public init(id: UInt64, originalID: UInt64? = nil, productID: String, purchaseDate: Date) {
        self.id = id
        self.originalID = originalID ?? id
        self.productID = productID
        self.purchaseDate = purchaseDate
        signedDate = purchaseDate
    }

    /// Tells the App Store that the person has got what was bought.
    public func finish() async {
        HeadlessStore.current?.noteFinished(id)
    }
}

extension Transaction {
    /// The transactions that come while the app runs.
    public struct Transactions: AsyncSequence, Sendable {
        let stream: AsyncStream<VerificationResult<Transaction>>

        /// The iterator over transactions.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var iterator: AsyncStream<VerificationResult<Transaction>>.Iterator

            /// Returns the next transaction, when there is one.
            public mutating func next() async -> VerificationResult<Transaction>? { await iterator.next() }
        }

        /// Creates an iterator.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
    }

    /// What was approved, bought elsewhere, or not finished in an earlier launch: the updates of the current
    /// ``HeadlessStore``.
    public static var updates: Transactions {
        Transactions(stream: HeadlessStore.current?.listen() ?? AsyncStream { $0.finish() })
    }
}
