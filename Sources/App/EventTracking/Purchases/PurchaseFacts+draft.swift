#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import FlowEvents

extension PurchaseFacts {
    /// Returns the event of the purchase: `purchase`, `purchase_pending` or `purchase_canceled`.
    ///
    /// - Parameter properties: what the app adds. The facts replace properties of their names.
    public func draft(adding properties: [String: PropertyValue] = [:]) -> EventDraft {
        EventDraft(type: outcome.eventType, properties: properties.merging(self.properties) { _, fact in fact })
    }

    private var properties: [String: PropertyValue] {
        let texts = [
            "product_id": productID, "transaction_id": transactionID, "original_transaction_id": originalTransactionID,
            "currency": currency.flatMap(Self.currencyCode), "offer_type": offer?.rawValue,
            "environment": environment?.rawValue, "store": store,
        ]
        var properties = texts.compactMapValues { $0.map(PropertyValue.string) }
        properties["price"] = price.flatMap(Self.number).map(PropertyValue.number)
        return properties
    }

    /// A currency's code as ISO 4217 writes it; `nil` for a text that is none.
    private static func currencyCode(_ text: String) -> String? {
        let isCode = text.utf8.count == 3 && text.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        return isCode ? text.uppercased() : nil
    }

    /// The number for JSON: the double nearest to the price with six decimals, which are as many as a funnel's sum may
    /// have. Its shortest text is the price.
    ///
    /// StoreKit makes some prices of doubles, so that 9.99 is 9.989999999999999488 there: rounding takes that back. A price
    /// beyond 1 billion keeps three decimals, and one beyond 1 trillion none. `nil` if a double cannot hold the price to the
    /// unit.
    private static func number(_ price: Decimal) -> Double? {
        guard let value = Double(price.description), value.isFinite else { return nil }
        // Below 2^50 the product is less than a quarter off, so that it is rounded to the right integer. That and the scale
        // are exact, so the quotient is the double nearest to the price.
        for scale in [1e6, 1e3] where (value * scale).magnitude < 0x1p50 { return (value * scale).rounded() / scale }
        return value.magnitude < 0x1p53 ? value.rounded() : nil
    }
}

extension PurchaseFacts.Outcome {
    /// The type of the event.
    public var eventType: String {
        switch self {
        case .purchased: "purchase"
        case .pending: "purchase_pending"
        case .canceled: "purchase_canceled"
        }
    }
}
