import FlowEvents
import Foundation
import SimulatedAppStore
import Testing

@testable import StoreNotifications

/// What anybody can send to the address of the webhook.
@Suite struct HostileNotificationTests {
    @Test(arguments: Attack.all) func `a hostile notification is refused`(attack: Attack) async throws {
        let shop = try Shop(attack.options)
        let body = try attack.body(shop)
        let webhook = shop.webhook()
        let first = await refusal(of: body, by: webhook)
        #expect(first?.kind == attack.kind, "\(first.map(\.description) ?? "taken")")
        // A second time, with a chain that is known by then.
        _ = try? await webhook.decision(about: shop.store.body(of: notification()), now: now)
        #expect(await refusal(of: body, by: webhook) == first)
    }

    private func refusal(of body: [UInt8], by webhook: AppStoreWebhook) async -> NotificationRefusal? {
        do throws(NotificationRefusal) {
            _ = try await webhook.decision(about: body, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a chain that is known is refused for a signature of a time when it was not valid`() async throws {
        let shop = try Shop { options in options.leafValidity = date(-1)...date(1) }
        let webhook = shop.webhook()
        for (offset, isValid) in [(0, true), (day, true), (day + 1000, false), (-day, true), (-day - 1, false)] {
            let body = try shop.store.body(
                of: notification { notification, transaction in
                    notification.signedDate = moment + offset
                    transaction.signedDate = moment + offset
                }
            )
            let decision = try? await webhook.decision(about: body, now: now)
            #expect((decision != nil) == isValid, "\(offset)")
        }
    }

    @Test func `a notification that was signed in time is taken days after the certificate has ended`() async throws {
        let shop = try Shop { options in options.leafValidity = date(-1)...date(1) }
        let body = try shop.store.body(of: notification())
        let late = Timestamp(milliseconds: moment + 6 * day)
        #expect(try await shop.webhook().decision(about: body, now: late).published != nil)
    }

    @Test func `a replayed notification is the same event`() async throws {
        let shop = try Shop()
        let webhook = shop.webhook()
        let body = try shop.store.body(of: notification())
        let first = try #require(try await webhook.decision(about: body, now: now).published)
        let second = try #require(
            try await webhook.decision(about: body, now: Timestamp(milliseconds: now.milliseconds + 9 * day)).published
        )
        #expect(first.encoded() == second.encoded())
    }

    @Test func `the app's number counts in production, where it is configured`() async throws {
        let shop = try Shop()
        let body = try shop.store.body(of: notification())
        for (appleID, isTaken) in [(nil, true), (1_234_567_890, true), (5, false)] as [(Int64?, Bool)] {
            let webhook = shop.webhook(AppStoreApp(bundleID: bundle, appleID: appleID))
            let decision = try? await webhook.decision(about: body, now: now)
            #expect((decision != nil) == isTaken)
        }
    }

    @Test func `random damage never makes another event`() async throws {
        let shop = try Shop()
        let webhook = shop.webhook()
        let body = try shop.store.body(of: notification())
        let event = try #require(try await webhook.decision(about: body, now: now).published)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var damaged = body
            damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            // The last digit of base64 has bits that mean nothing.
            if let other = try? await webhook.decision(about: damaged, now: now).published { #expect(other == event) }
        }
    }
}
