import EventTracking
import FlowEvents
import Foundation
import Testing

@Suite struct StoreTransactionTests {
    private static let product = PurchaseFacts(.purchased, productID: "pro", price: 9.99, currency: "EUR")

    private static func facts(_ change: (inout StoreTransaction) -> Void) -> PurchaseFacts {
        var transaction = StoreTransaction(
            id: "7",
            originalID: "5",
            productID: "pro",
            purchasedAt: Timestamp(milliseconds: 0)
        )
        change(&transaction)
        return transaction.facts(of: product)
    }

    @Test func `a transaction's own price and currency count, with the discount of its offer`() {
        let facts = Self.facts {
            $0.price = 1.99
            $0.currency = "USD"
            $0.offer = .introductory
        }
        #expect(facts.price == 1.99 && facts.currency == "USD" && facts.offer == .introductory)
        #expect(facts.transactionID == "7" && facts.originalTransactionID == "5" && facts.productID == "pro")
    }

    @Test func `without a price of its own a full price is the product's, and a trial is free`() {
        #expect(Self.facts { $0.offer = PurchaseOffer.none }.price == 9.99)
        #expect(Self.facts { $0.offer = .trial }.price == 0)
        #expect(Self.facts { $0.offer = .trial }.currency == "EUR")
    }

    @Test(arguments: [PurchaseOffer.introductory, .promotional, .code, nil])
    func `the product's price is not guessed to be that of an offer`(offer: PurchaseOffer?) {
        #expect(Self.facts { $0.offer = offer }.price == nil)
    }
}
