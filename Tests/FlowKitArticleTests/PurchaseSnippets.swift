import DeviceQueue
import EventTracking
import FlowAnalytics
import FlowStoreKit
import Foundation
import HeadlessStoreKit
import HTTPSink

// The code blocks of the article about purchases, as `Snippets.swift` has those of other modules.

private struct PurchaseArticle {
    var unlock: @MainActor (String) -> Void

    @MainActor
    func buy(_ product: Product, on presentation: Presentation<PaywallSource>) async throws {
        let result = try await product.purchase(options: await presentation.purchaseOptions)
        await presentation.track(result, of: product)
        if case .success(.verified(let transaction)) = result {
            unlock(transaction.productID)
            await transaction.finish()
        }
    }

    static func launch(queue: DeviceQueue, collector: HTTPSinkConfiguration) {
        let tracker = Tracker(source: "app://com.example.shop", queue: queue, sink: .http(collector))
        tracker.trackTransactionUpdates()
    }

    static func accounts(
        tracker: Tracker,
        presentation: Presentation<PaywallSource>,
        account: UUID
    ) async -> Set<Product.PurchaseOption> {
        tracker.trackTransactionUpdates(accountTokens: .accounts)
        let options = await presentation.purchaseOptions.union([.appAccountToken(account)])
        return options
    }

    static func listen(tracker: Tracker) async {
        for await update in Transaction.updates {
            await tracker.track(update)
            if case .verified(let transaction) = update { await transaction.finish() }
        }
    }

    static func otherStores(presentation: Presentation<PaywallSource>?, price: Decimal) {
        let facts = PurchaseFacts(.purchased, productID: "pro.year", price: price, currency: "EUR", offer: .trial)
        presentation?.track(facts)
    }

    static func tests() async throws -> Product.PurchaseResult {
        let store = HeadlessStore()
        store.prepare(.pending)
        let result = try await store.product("pro.year", price: 39.99).purchase()
        return result
    }
}
