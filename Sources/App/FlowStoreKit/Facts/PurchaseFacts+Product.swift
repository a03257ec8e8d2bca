public import EventTracking
import Foundation

extension PurchaseFacts {
    /// What is known of a purchase before there is a transaction: the product, its full price and the currency.
    ///
    /// ```swift
    /// presentation?.track(PurchaseFacts(.canceled, of: product))
    /// ```
    public init(_ outcome: Outcome, of product: Product) {
        self.init(
            outcome,
            productID: product.id,
            price: product.price,
            currency: product.priceFormatStyle.currencyCode
        )
    }
}
