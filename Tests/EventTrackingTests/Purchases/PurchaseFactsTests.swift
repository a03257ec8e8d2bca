import EventTracking
import EventTrackingTestKit
import FlowEvents
import Foundation
import Testing

@Suite struct PurchaseFactsTests {
    private static let full = PurchaseFacts(
        .purchased,
        productID: "pro.year",
        transactionID: "2000000123",
        originalTransactionID: "2000000001",
        price: 39.99,
        currency: "eur",
        offer: .introductory,
        environment: .sandbox
    )

    @Test func `everything that is known is a property of the contract's name`() {
        let draft = Self.full.draft()
        #expect(draft.type == "purchase")
        #expect(
            draft.properties == [
                "product_id": "pro.year", "transaction_id": "2000000123", "original_transaction_id": "2000000001",
                "price": 39.99, "currency": "EUR", "offer_type": "introductory", "environment": "sandbox",
                "store": "app_store",
            ]
        )
    }

    @Test func `what is not known is not in the event`() {
        #expect(PurchaseFacts(.pending).draft().properties == ["store": "app_store"])
        #expect(PurchaseFacts(.canceled, store: nil).draft().properties.isEmpty)
    }

    @Test(arguments: [
        (PurchaseFacts.Outcome.purchased, "purchase"), (.pending, "purchase_pending"), (.canceled, "purchase_canceled"),
    ])
    func `each outcome has its type`(outcome: PurchaseFacts.Outcome, type: String) {
        #expect(PurchaseFacts(outcome).draft().type == type)
    }

    @Test func `the raw values of offers and environments are those of the contract`() {
        #expect(PurchaseOffer.allCases.map(\.rawValue) == ["none", "trial", "introductory", "promotional", "code"])
        #expect(PurchaseEnvironment.allCases.map(\.rawValue) == ["production", "sandbox"])
    }

    @Test func `the app adds properties, and cannot replace a fact`() {
        let properties = Self.full.draft(adding: ["plan": "year", "price": 1]).properties
        #expect(properties["plan"] == "year" && properties["price"] == 39.99)
    }

    @Test(arguments: ["", "€", "EU", "EURO", "E1R", "ÄÖ"])
    func `a currency that is no code is left out`(currency: String) {
        #expect(PurchaseFacts(.purchased, currency: currency).draft().properties["currency"] == nil)
    }

    @Test(
        arguments: [
            (nil, nil, PurchaseOffer.none), (1, "freeTrial", .trial), (1, "FREE_TRIAL", .trial),
            (1, "PAY_UP_FRONT", .introductory), (1, nil, .introductory), (2, "freeTrial", .promotional),
            (3, "freeTrial", .code), (4, nil, .promotional), (5, nil, nil),
        ] as [(Int?, String?, PurchaseOffer?)]
    )
    func `an offer of the App Store is one of ours`(type: Int?, mode: String?, offer: PurchaseOffer?) {
        #expect(PurchaseOffer(appStoreType: type, paymentMode: mode) == offer)
    }

    @Test func `a tracker tracks facts`() async throws {
        let recorder = EventRecorder()
        let tracker = Tracker(source: "app://test", identity: .memory(), sink: .recording(recorder))
        tracker.track(Self.full, properties: ["plan": "year"])
        await tracker.flush()
        let event = try #require(try recorder.events.first)
        #expect(event.type == "purchase")
        #expect(event.properties["plan"] == "year" && event.properties["product_id"] == "pro.year")
    }
}
