public import Foundation

/// Something that the App Store sells in an app. A ``HeadlessStore`` makes it.
public struct Product: Identifiable, Sendable {
    /// What kind of product it is.
    public struct ProductType: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a type from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It is used up, and can be bought again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// It is bought once.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A subscription that ends.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that renews itself.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
    }

    /// The id in the store.
    public let id: String
    /// What kind of product it is.
    public let type: ProductType
    /// The full price, without offers.
    public let price: Decimal
    /// How the price is written.
    public let priceFormatStyle: Decimal.FormatStyle.Currency
    let store: HeadlessStore

    /// The price as text.
    public var displayPrice: String { price.formatted(priceFormatStyle) }

    /// Shows the sheet of the App Store, and returns when the person has decided.
    ///
    /// - Returns: the next answer of the store.
    /// - Throws: the next answer of the store, if that is an error.
    @MainActor
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        try store.answer(to: HeadlessStore.Request(productID: id, options: options))
    }
}
