import EventTracking
import FlowEvents
import SimulatedAppStore
import Testing

@testable import StoreNotifications

/// What a notification of the App Store becomes.
@Suite struct AppStoreWebhookTests {
    private let shop: Shop

    init() throws { shop = try Shop() }

    private func decision(about notification: StoreNotification, takesSandbox: Bool = false) async throws
        -> StoreDecision
    {
        let body = try shop.store.body(of: notification)
        return try await shop.webhook(takesSandbox: takesSandbox).decision(about: body, now: now)
    }

    @Test func `a purchase is an event of the install in appAccountToken`() async throws {
        let decision = try await decision(about: notification("SUBSCRIBED", "INITIAL_BUY"))
        #expect(decision.type == "SUBSCRIBED")
        #expect(
            decision.published?.text
                == #"{"specversion":"1.0","id":"app_store:production:store_purchase:2000000123","#
                + #""source":"app://com.example.shop","type":"store_purchase","time":"2026-09-21T14:13:20.000Z","#
                + #""partitionkey":"\#(install)","datacontenttype":"application/json","data":{"install_id":"\#(install)","#
                + #""properties":{"currency":"EUR","environment":"production","offer_type":"none","#
                + #""original_transaction_id":"2000000123","price":9.99,"product_id":"pro.year","store":"app_store","#
                + #""transaction_id":"2000000123"}}}"#
        )
    }

    @Test func `the token counts in either case`() async throws {
        let event = try await decision(about: notification { $1.appAccountToken = install.uppercased() }).published
        #expect(event?.installID == install)
    }

    @Test(
        arguments: [
            ("SUBSCRIBED", "INITIAL_BUY", .purchase), ("SUBSCRIBED", "RESUBSCRIBE", .purchase),
            ("ONE_TIME_CHARGE", nil, .purchase), ("OFFER_REDEEMED", "INITIAL_BUY", .purchase),
            ("OFFER_REDEEMED", "RESUBSCRIBE", .purchase), ("OFFER_REDEEMED", "UPGRADE", .renewal),
            ("OFFER_REDEEMED", "DOWNGRADE", nil), ("OFFER_REDEEMED", nil, nil), ("DID_RENEW", nil, .renewal),
            ("DID_RENEW", "BILLING_RECOVERY", .renewal), ("DID_CHANGE_RENEWAL_PREF", "UPGRADE", .renewal),
            ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", nil), ("DID_CHANGE_RENEWAL_PREF", nil, nil),
            ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", nil), ("DID_FAIL_TO_RENEW", "GRACE_PERIOD", nil),
            ("EXPIRED", "VOLUNTARY", .expiration), ("EXPIRED", "BILLING_RETRY", .expiration),
            ("GRACE_PERIOD_EXPIRED", nil, nil), ("REFUND", nil, .refund), ("REFUND_DECLINED", nil, nil),
            ("REFUND_REVERSED", nil, nil), ("REVOKE", nil, nil), ("PRICE_INCREASE", "PENDING", nil),
            ("RENEWAL_EXTENDED", nil, nil), ("RENEWAL_EXTENSION", "SUMMARY", nil), ("CONSUMPTION_REQUEST", nil, nil),
            ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", nil), ("METADATA_UPDATE", nil, nil), ("MIGRATION", nil, nil),
            ("PRICE_CHANGE", nil, nil), ("RESCIND_CONSENT", nil, nil), ("TEST", nil, nil), ("A_NEW_ONE", nil, nil),
            ("SUBSCRIBED", "A_NEW_ONE", .purchase),
        ] as [(String, String?, StoreEvent.Kind?)]
    )
    func `each type becomes its event, or is ignored`(
        type: String,
        subtype: String?,
        kind: StoreEvent.Kind?
    ) async throws {
        let decision = try await decision(about: notification(type, subtype))
        #expect(decision.type == (type == "A_NEW_ONE" ? "other" : type))
        #expect(decision.published?.kind == kind)
        if kind == nil { #expect(decision.action == .ignore(.kind)) }
    }

    @Test func `a type without a transaction is ignored`() async throws {
        var test = notification("TEST")
        test.transaction = nil
        #expect(try await decision(about: test).action == .ignore(.kind))
    }

    @Test(
        arguments: [
            (9990, "9.99"), (0, "0"), (1, "0.001"), (10, "0.01"), (100, "0.1"), (1000, "1"), (39_990_000, "39990"),
            (123_456_789_012_345_678, "123456789012345.678"), (.max, "9223372036854775.807"),
        ] as [(Int64, String)]
    )
    func `a price keeps every thousandth`(price: Int64, text: String) async throws {
        let event = try #require(try await decision(about: notification { $1.price = price }).published)
        #expect(event.price?.description == text)
        #expect(event.text.contains(#""price":\#(text),"#))
    }

    @Test func `a price that is not known, or is none, is absent`() async throws {
        for price: Int64? in [nil, -1] {
            let event = try await decision(about: notification { $1.price = price }).published
            #expect(event?.price == nil)
            #expect(event?.properties["currency"] == nil)
        }
    }

    @Test(
        arguments: [
            (nil, "9.99"), (100_000, "9.99"), (40_000, "3.996"), (67_932, "6.786"), (15, "0.001"), (0, "0"),
            (500_000, "9.99"), (-1, "0"),
        ] as [(Int64?, String)]
    )
    func `a refund has the part of the price that was given back`(percentage: Int64?, text: String) async throws {
        let refund = notification("REFUND") { _, transaction in
            transaction.revocationDate = moment - 5
            transaction.revocationPercentage = percentage
        }
        let event = try await decision(about: refund).published
        #expect(event?.price?.description == text)
        #expect(event?.time == Timestamp(milliseconds: moment - 5))
    }

    @Test func `a part of the largest price does not overflow`() async throws {
        let refund = notification("REFUND") {
            $1.price = .max; $1.revocationPercentage = 99_999
        }
        // Worked out with integers of any size.
        #expect(try await decision(about: refund).published?.price?.description == "9223279803134407.259")
    }

    @Test(
        arguments: [
            (nil, nil, "none"), (1, "FREE_TRIAL", "trial"), (1, "PAY_AS_YOU_GO", "introductory"),
            (1, nil, "introductory"), (2, "PAY_UP_FRONT", "promotional"), (3, "FREE_TRIAL", "code"),
            (4, "PAY_AS_YOU_GO", "promotional"), (9, nil, nil),
        ] as [(Int?, String?, String?)]
    )
    func `the offer has the same name as in the app's purchase`(type: Int?, mode: String?, name: String?) async throws {
        let event = try await decision(
            about: notification {
                $1.offerType = type; $1.offerDiscountType = mode
            }
        ).published
        #expect(event?.properties["offer_type"] == name.map(PropertyValue.string))
    }

    @Test func `the event's id is the transaction's, so two notifications about it are one event`() async throws {
        let first = try await decision(about: notification("SUBSCRIBED")).published
        let second = try await decision(
            about: notification("ONE_TIME_CHARGE") { notification, _ in
                notification.notificationUUID = "another"
                notification.signedDate = moment + 500
            }
        ).published
        #expect(first?.id == second?.id)
        let kinds = [("DID_RENEW", nil), ("EXPIRED", nil), ("REFUND", 7), ("REFUND", 8)] as [(String, Int64?)]
        var ids = Set([first?.id])
        for (type, revoked) in kinds {
            ids.insert(
                try await decision(about: notification(type) { _, transaction in transaction.revocationDate = revoked })
                    .published?.id
            )
        }
        #expect(ids.count == 5 && !ids.contains(nil))
    }

    @Test func `a renewal that is charged before its period has the time at which the store says it`() async throws {
        let event = try await decision(about: notification("DID_RENEW") { $1.purchaseDate = moment + day / 2 })
            .published
        #expect(event?.time == Timestamp(milliseconds: moment))
    }

    @Test func `an expiration has the end of the period, and no price`() async throws {
        let event = try await decision(about: notification("EXPIRED") { $1.expiresDate = moment - 9 }).published
        #expect(event?.time == Timestamp(milliseconds: moment - 9))
        #expect(event?.price == nil)
        #expect(event?.properties["currency"] == nil)
    }

    @Test(arguments: [nil, "", "u-42"] as [String?])
    func `without an install in appAccountToken it is a dead letter`(token: String?) async throws {
        let decision = try await decision(about: notification { $1.appAccountToken = token })
        guard case .deadLetter(let event, let violation) = decision.action else {
            Issue.record("\(decision)")
            return
        }
        #expect(violation.reason == .missingField)
        #expect(violation.detail.contains("appAccountToken"))
        #expect(!event.text.contains("install_id") && !event.text.contains("partitionkey"))
        #expect(event.text.contains(#""transaction_id":"2000000123""#))
    }

    @Test func `a text that breaks a rule is a dead letter`() async throws {
        let decision = try await decision(
            about: notification { $1.transactionId = String(repeating: "9", count: 1025) }
        )
        guard case .deadLetter(_, let violation) = decision.action else {
            Issue.record("\(decision)")
            return
        }
        #expect(violation.reason == .invalidField)
    }

    @Test func `the sandbox is taken only where the configuration says so`() async throws {
        let sandbox = notification {
            $0.environment = "Sandbox"; $1.environment = "Sandbox"
        }
        #expect(try await decision(about: sandbox).action == .ignore(.sandbox))
        let event = try await decision(about: sandbox, takesSandbox: true).published
        #expect(event?.properties["environment"] == "sandbox")
        #expect(event?.id == "app_store:sandbox:store_purchase:2000000123")
    }

    @Test func `a purchase that the family shares is ignored`() async throws {
        let shared = notification { $1.inAppOwnershipType = "FAMILY_SHARED" }
        #expect(try await decision(about: shared).action == .ignore(.familyShared))
    }

    @Test func `new fields, and fields of new types, break nothing`() async throws {
        struct Payload: Encodable {
            struct Content: Encodable {
                var bundleId = bundle
                var environment = "Production"
                var status = ["a": [1]]
                var signedTransactionInfo: String
            }
            var notificationType = "SUBSCRIBED"
            var version = 3
            var signedDate = moment
            var data: Content
        }
        struct Transaction: Encodable {
            var transactionId = "7"
            var bundleId = bundle
            var environment = "Production"
            var appAccountToken = install
            var price = "9.99"
            var offerType = ["a"]
            var currency = 978
            var signedDate = moment
            var tax = 1.5
        }
        let payload = Payload(data: .init(signedTransactionInfo: try shop.store.signed(Transaction())))
        let body = try SimulatedAppStore.body(signedPayload: shop.store.signed(payload))
        let event = try await shop.webhook().decision(about: body, now: now).published
        #expect(event?.id == "app_store:production:store_purchase:7")
        #expect(event?.price == nil)
        #expect(event?.time == Timestamp(milliseconds: moment))
    }

    @Test func `a store's event is read as it was written`() async throws {
        let event = try #require(try await decision(about: notification()).published)
        let read = try Event(json: event.encoded())
        #expect(read.installID == install)
        #expect(read.type == "store_purchase")
        #expect(read.time == event.time)
        #expect(read.properties["price"] == 9.99)
        #expect(read.properties.count == event.properties.count + 1)
    }
}
