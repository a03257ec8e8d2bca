import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import FlowStoreKit
import Foundation
import HeadlessStoreKit
import Testing

/// A purchase on a paywall, from its options to its event.
@MainActor
@Suite struct PresentationPurchaseTests {
    private let shop = Shop()

    private func purchase() async -> PurchaseTracking {
        let product = shop.product
        do {
            let result = try await product.purchase(options: await shop.presentation.purchaseOptions)
            return await shop.presentation.track(result, of: product)
        } catch {
            return await shop.presentation.track(.failure(error), of: product)
        }
    }

    @Test func `a purchase names the install to the store, and counts with its paywall`() async throws {
        shop.store.prepare(.success(.verified(Shop.transaction())))
        let tracked = await purchase()
        let token = try #require(Shop.token)
        #expect(shop.store.requests == [.init(productID: "pro.year", options: [.appAccountToken(token)])])
        guard case .tracked(let facts) = tracked else {
            Issue.record("\(tracked)")
            return
        }
        #expect(facts.transactionID == "7")
        let lines = try await shop.lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("purchase ") && lines[0].hasSuffix(" [home p-1]"))
    }

    @Test func `a purchase that waits and one that is given up have types of their own`() async throws {
        shop.store.prepare(.pending)
        shop.store.prepare(.userCancelled)
        shop.store.prepare(failure: StoreKitError.userCancelled)
        for _ in 0..<3 { _ = await purchase() }
        let rest = " currency=EUR price=39.99 product_id=pro.year store=app_store [home p-1]"
        #expect(
            try await shop.lines() == [
                "purchase_pending" + rest, "purchase_canceled" + rest, "purchase_canceled" + rest,
            ]
        )
    }

    @Test func `a failure is no event, and leaves no paywall to a later purchase`() async throws {
        shop.store.prepare(failure: StoreKitError.notAvailableInStorefront)
        shop.store.prepare(.success(.unverified(Shop.transaction(), .invalidSignature)))
        #expect(await purchase() == .ignored(.failed))
        #expect(await purchase() == .ignored(.unverified))
        #expect(try await shop.lines() == [])
        await shop.handle([.verified(Shop.transaction())])
        let lines = try await shop.lines()
        #expect(lines.count == 1 && !lines[0].contains("["))
    }

    @Test func `the purchase of what is owned already is no purchase`() async throws {
        let renewal = Shop.transaction(8) { $0.reason = .renewal }
        let owned = Shop.transaction(9) { $0.signedDate = Shop.now.addingTimeInterval(7200) }
        let restored = Shop.transaction(10) { $0.productType = .nonConsumable }
        for (transaction, reason) in [
            (renewal, PurchaseTracking.Reason.renewed), (owned, .restored), (restored, .restored),
        ] {
            shop.store.prepare(.success(.verified(transaction)))
            #expect(await purchase() == .ignored(reason))
        }
        #expect(try await shop.lines() == [])
    }

    @Test func `an install id that is no UUID, and a user who has opted out, give no options`() async throws {
        let named = Shop(identity: .memory(Identity(installID: "anna's phone")))
        #expect(await named.presentation.purchaseOptions.isEmpty)
        try await shop.tracker.optOut()
        #expect(await shop.presentation.purchaseOptions.isEmpty)
        shop.store.prepare(.success(.verified(Shop.transaction())))
        #expect(await purchase() == .ignored(.optedOut))
    }

    @Test func `no transaction is finished`() async throws {
        shop.store.prepare(.success(.verified(Shop.transaction())))
        await HeadlessStore.$current.withValue(shop.store) {
            _ = await purchase()
            await shop.handle([.verified(Shop.transaction(8)), .verified(Shop.transaction(9) { $0.reason = .renewal })])
            #expect(shop.store.finished == [])
            // Without this the line above could hold because nothing is ever noted.
            await Shop.transaction().finish()
        }
        #expect(shop.store.finished == [7])
    }

    @Test func `a purchase elsewhere than on a paywall counts without one`() async throws {
        let token = try #require(Shop.token)
        #expect(await shop.tracker.purchaseOptions == [.appAccountToken(token)])
        await shop.tracker.track(.success(.verified(Shop.transaction())), of: shop.product)
        let lines = try await shop.lines()
        #expect(lines.count == 1 && !lines[0].contains("["))
    }

    @Test func `a presentation whose events go to a closure alone tracks its purchases, too`() async throws {
        let tracker = shop.tracker
        let alone = Presentation(id: "p-9", source: Source.profile, track: tracker.track)
        #expect(await alone.purchaseOptions.isEmpty)
        await alone.track(.success(.verified(Shop.transaction())), of: shop.product)
        #expect(await alone.track(.success(.verified(Shop.transaction())), of: shop.product) == .ignored(.counted))
        #expect(try await shop.lines().map { $0.hasSuffix("[profile p-9]") } == [true])
    }
}
