import EventTracking
import FlowStoreKit
import Foundation
import HeadlessStoreKit
import Testing

/// A transaction of StoreKit on its way to the properties of an event.
@Suite struct TransactionFactsTests {
    private static func line(_ change: (inout Transaction) -> Void) async throws -> String? {
        let shop = Shop()
        await shop.presentation.track(.success(.verified(Shop.transaction(7, change))), of: shop.product)
        return try await shop.lines().first
    }

    @Test func `every fact of a transaction is a property`() async throws {
        #expect(
            try await Self.line { _ in } == """
                purchase currency=EUR environment=production offer_type=none original_transaction_id=5 price=39.99 \
                product_id=pro.year store=app_store transaction_id=7 [home p-1]
                """
        )
    }

    @Test(arguments: [
        (Transaction.Offer(type: .introductory, paymentMode: .freeTrial), "trial"),
        (.init(type: .introductory, paymentMode: .payAsYouGo), "introductory"),
        (.init(type: .introductory, paymentMode: .payUpFront), "introductory"),
        (.init(type: .promotional, paymentMode: .freeTrial), "promotional"), (.init(type: .code), "code"),
        (.init(type: .winBack, paymentMode: .payUpFront), "promotional"),
    ])
    func `an offer is named as the event format does`(offer: Transaction.Offer, name: String) async throws {
        let line = try await Self.line { $0.offer = offer }
        #expect(line?.contains("offer_type=\(name) ") == true, "\(line ?? "")")
    }

    @Test(arguments: [
        (AppStore.Environment.production, "production"), (.sandbox, "sandbox"), (.xcode, "sandbox"),
    ])
    func `only the real store is production`(environment: AppStore.Environment, name: String) async throws {
        let line = try await Self.line { $0.environment = environment }
        #expect(line?.contains("environment=\(name) ") == true)
    }

    @Test func `a price that StoreKit has made of a double is exact`() async throws {
        let line = try await Self.line { $0.price = Decimal(string: "9.989999999999999488") }
        #expect(line?.contains("price=9.99 ") == true, "\(line ?? "")")
    }

    @Test func `a transaction without a price has the product's, and a trial none`() async throws {
        #expect(try await Self.line { $0.price = nil }?.contains("price=39.99 ") == true)
        let trial = try await Self.line { transaction in
            transaction.price = nil
            transaction.offer = .init(type: .introductory, paymentMode: .freeTrial)
        }
        #expect(trial?.contains("price=0 ") == true, "\(trial ?? "")")
    }
}
