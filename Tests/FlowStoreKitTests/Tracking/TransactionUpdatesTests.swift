import EventTracking
import EventTrackingTestKit
import FlowStoreKit
import Foundation
import HeadlessStoreKit
import Testing

/// What StoreKit reports outside of a purchase in the app.
@Suite struct TransactionUpdatesTests {
    /// Type and paywall of each event.
    private func summary(_ shop: Shop) async throws -> [String] {
        try await shop.lines().map { line in
            let words = line.split(separator: " ")
            return line.contains("[") ? words[0] + " " + words.suffix(2).joined(separator: " ") : String(words[0])
        }
    }

    /// Begins a purchase, as an app does.
    private func begin(in shop: Shop, as result: Product.PurchaseResult?) async {
        _ = await shop.presentation.purchaseOptions
        if let result { await shop.presentation.track(result, of: shop.product) }
    }

    @Test func `a purchase that a parent approves after a relaunch keeps its paywall`() async throws {
        let first = Shop()
        await begin(in: first, as: .pending)
        #expect(try await summary(first) == ["purchase_pending [home p-1]"])
        let second = first.relaunched()
        await begin(in: second, as: .userCancelled)
        await second.handle([.verified(Shop.transaction { $0.purchaseDate = Shop.now.addingTimeInterval(80_000) })])
        #expect(try await summary(second) == ["purchase_canceled [profile p-2]", "purchase [home p-1]"])
    }

    @Test func `a purchase that a kill has cut short keeps its paywall`() async throws {
        let first = Shop()
        await begin(in: first, as: nil)
        let second = first.relaunched()
        await second.handle([.verified(Shop.transaction())])
        #expect(try await summary(second) == ["purchase [home p-1]"])
    }

    @Test func `a transaction that the app has not finished counts once in all launches`() async throws {
        var shop = Shop()
        await begin(in: shop, as: .success(.verified(Shop.transaction())))
        var events = try await summary(shop)
        for _ in 0..<2 {
            shop = shop.relaunched()
            await shop.handle([.verified(Shop.transaction())])
            events += try await summary(shop)
        }
        #expect(events == ["purchase [home p-1]"])
    }

    @Test func `an offer code and a purchase in the App Store count without a paywall`() async throws {
        let shop = Shop()
        await begin(in: shop, as: nil)
        let code = Shop.transaction { transaction in
            transaction.appAccountToken = nil
            transaction.offer = .init(type: .code)
        }
        await shop.handle([.verified(code)])
        #expect(try await summary(shop) == ["purchase"])
    }

    @Test func `what is no purchase of this install leaves no event`() async throws {
        let shop = Shop()
        await shop.handle([
            .unverified(Shop.transaction(1), .invalidDeviceVerification),
            .verified(Shop.transaction(2) { $0.reason = .renewal }),
            .verified(Shop.transaction(3) { $0.revocationDate = Shop.now }),
            .verified(Shop.transaction(4) { $0.ownershipType = .familyShared }),
            .verified(Shop.transaction(5) { $0.appAccountToken = UUID() }),
            // Bought before the install, and told again after it.
            .verified(
                Shop.transaction(6) { transaction in
                    transaction.appAccountToken = nil
                    transaction.purchaseDate = Shop.now.addingTimeInterval(-90_000)
                }
            ),
            .verified(Shop.transaction(7) { $0.productType = .nonConsumable }),
        ])
        #expect(try await shop.lines() == [])
    }

    @Test func `with account tokens of the app's own another token excludes nothing`() async throws {
        let shop = Shop()
        await shop.handle([.verified(Shop.transaction { $0.appAccountToken = UUID() })], accountTokens: .accounts)
        #expect(try await summary(shop) == ["purchase"])
        #expect(await shop.presentation.purchaseOptions.isEmpty)
    }

    @Test func `an app that listens by itself hands over each update`() async throws {
        let shop = Shop()
        #expect(
            await shop.tracker.track(.verified(Shop.transaction { $0.revocationDate = Shop.now })) == .ignored(.revoked)
        )
        guard case .tracked = await shop.tracker.track(.verified(Shop.transaction())) else {
            Issue.record("not tracked")
            return
        }
        #expect(try await summary(shop) == ["purchase"])
    }
}
