import FlowEvents
import Foundation
import Testing

@testable import StoreNotifications

/// What a webhook of RevenueCat becomes.
@Suite struct RevenueCatWebhookTests {
    private static let secret = "Bearer of-a-secret-0123456789"

    /// A renewal of 7.99 euros, with the fields of RevenueCat's sample events.
    private static let fields = [
        "event_timestamp_ms": "\(moment)", "product_id": #""pro.month""#, "period_type": #""NORMAL""#,
        "purchased_at_ms": "\(moment - 4000)", "expiration_at_ms": "\(moment - 9)", "environment": #""PRODUCTION""#,
        "entitlement_ids": #"["pro"]"#, "transaction_id": #""123456789012345""#,
        "original_transaction_id": #""123456789012344""#, "is_family_share": "false", "app_user_id": #""1234567890""#,
        "currency": #""EUR""#, "is_trial_conversion": "true", "price": "8.14", "price_in_purchased_currency": "7.99",
        "subscriber_attributes": #"{"$email":{"updated_at_ms":1,"value":"a@b"},"install_id":{"value":"i-1"}}"#,
        "store": #""APP_STORE""#, "offer_code": "null", "type": #""RENEWAL""#, "id": #""12345678-ABCD""#,
    ]

    private func body(_ changes: [String: String?]) -> [UInt8] {
        var fields = Self.fields
        for (name, value) in changes { fields[name] = value }
        let text = fields.map { #""\#($0)":\#($1)"# }.joined(separator: ",")
        return Array(#"{"event":{\#(text)},"api_version":"1.0"}"#.utf8)
    }

    private func decision(_ changes: [String: String?] = [:], takesSandbox: Bool = false) throws -> StoreDecision {
        let webhook = RevenueCatWebhook(authorization: Self.secret, source: "app://shop", takesSandbox: takesSandbox)
        return try webhook.decision(about: body(changes), now: now)
    }

    @Test func `a renewal is an event of the install in the attributes`() throws {
        let decision = try decision()
        #expect(decision.type == "RENEWAL")
        #expect(
            decision.published?.text
                == #"{"specversion":"1.0","id":"revenuecat:12345678-ABCD","source":"app://shop","type":"store_renewal","#
                + #""time":"2026-09-21T14:13:16.000Z","partitionkey":"i-1","datacontenttype":"application/json","#
                + #""data":{"install_id":"i-1","properties":{"currency":"EUR","environment":"production","#
                + #""is_trial_conversion":true,"offer_type":"none","original_transaction_id":"123456789012344","#
                + #""period_type":"normal","price":7.99,"product_id":"pro.month","store":"app_store","#
                + #""transaction_id":"123456789012345"}}}"#
        )
    }

    @Test(
        arguments: [
            ("INITIAL_PURCHASE", .purchase), ("NON_RENEWING_PURCHASE", .purchase), ("RENEWAL", .renewal),
            ("EXPIRATION", .expiration), ("CANCELLATION", nil), ("UNCANCELLATION", nil), ("BILLING_ISSUE", nil),
            ("PRODUCT_CHANGE", nil), ("SUBSCRIPTION_PAUSED", nil), ("SUBSCRIPTION_EXTENDED", nil), ("TRANSFER", nil),
            ("TEMPORARY_ENTITLEMENT_GRANT", nil), ("REFUND_REVERSED", nil), ("INVOICE_ISSUANCE", nil), ("TEST", nil),
            ("VIRTUAL_CURRENCY_TRANSACTION", nil), ("EXPERIMENT_ENROLLMENT", nil), ("SUBSCRIBER_ALIAS", nil),
            ("A_NEW_ONE", nil),
        ] as [(String, StoreEvent.Kind?)]
    )
    func `each type becomes its event, or is ignored`(type: String, kind: StoreEvent.Kind?) throws {
        let decision = try decision(["type": "\"\(type)\""])
        #expect(decision.type == (type == "A_NEW_ONE" ? "other" : type))
        #expect(decision.published?.kind == kind)
        if kind == nil { #expect(decision.action == .ignore(.kind)) }
    }

    @Test func `a cancellation with a refund says what was given back`() throws {
        let changes = ["type": #""CANCELLATION""#, "price_in_purchased_currency": "-9.99", "price": "-10.5"]
        for reason in [#""CUSTOMER_SUPPORT""#, #""DEVELOPER_INITIATED""#] {
            let event = try decision(changes.merging(["cancel_reason": reason]) { $1 }).published
            #expect(event?.kind == .refund)
            #expect(event?.price?.description == "9.99")
            #expect(event?.time == Timestamp(milliseconds: moment))
        }
        #expect(
            try decision(["type": #""CANCELLATION""#, "cancel_reason": #""UNSUBSCRIBE""#]).action == .ignore(.kind)
        )
    }

    @Test(arguments: [
        ("7.99", "7.99"), ("0.0", "0"), ("0.1", "0.1"), ("32.99", "32.99"), ("25.487", "25.487"), ("1e2", "100"),
        ("4.35", "4.35"), ("1.005", "1.005"), ("123456789012345678.99", "123456789012345678.99"),
        ("90071992547409.93", "90071992547409.93"), ("0.000001", "0.000001"),
    ])
    func `a price keeps its digits`(written: String, text: String) throws {
        let event = try #require(try decision(["price_in_purchased_currency": written]).published)
        #expect(event.price?.description == text)
        #expect(event.text.contains(#""price":\#(text),"#))
    }

    @Test func `a price that is known in dollars only is in dollars`() throws {
        let event = try decision(["price_in_purchased_currency": nil]).published
        #expect(event?.price?.description == "8.14")
        #expect(event?.properties["currency"] == "USD")
        let unknown = try decision(["price_in_purchased_currency": "null", "price": "null"]).published
        #expect(unknown?.price == nil)
        #expect(unknown?.properties["currency"] == nil)
    }

    @Test(
        arguments: [
            ("TRIAL", nil, "trial"), ("INTRO", nil, "introductory"), ("PROMOTIONAL", nil, "promotional"),
            ("NORMAL", nil, "none"), ("NORMAL", "SUMMER", "code"), ("PREPAID", nil, "none"), ("A_NEW_ONE", nil, nil),
        ] as [(String, String?, String?)]
    )
    func `the period names the offer`(period: String, code: String?, name: String?) throws {
        let changes = ["period_type": "\"\(period)\"", "offer_code": code.map { "\"\($0)\"" } ?? "null"]
        let event = try decision(changes).published
        #expect(event?.properties["offer_type"] == name.map(PropertyValue.string))
    }

    @Test func `presentation and source of the paywall are taken from the attributes`() throws {
        let attributes =
            #"{"install_id":{"value":"i-2"},"presentation_id":{"value":"p"},"paywall_source":{"value":"home"}}"#
        let event = try decision(["subscriber_attributes": attributes]).published
        #expect(event?.installID == "i-2")
        #expect(event?.presentationID == "p")
        #expect(event?.paywallSource == "home")
        #expect(event?.text.contains(#""presentation_id":"p","paywall_source":"home","properties""#) == true)
    }

    @Test(
        arguments: [
            nil, "null", "{}", "[]", #"{"install_id":null}"#, #"{"install_id":{"value":""}}"#, #"{"install_id":"i-1"}"#,
            #"{"install_id":{"value":7}}"#,
        ] as [String?]
    )
    func `without an install in the attributes it is a dead letter`(attributes: String?) throws {
        let decision = try decision(["subscriber_attributes": attributes])
        guard case .deadLetter(let event, let violation) = decision.action else {
            Issue.record("\(decision)")
            return
        }
        #expect(violation.reason == .missingField)
        #expect(!event.text.contains("install_id"))
    }

    @Test func `the sandbox is taken only where the configuration says so`() throws {
        #expect(try decision(["environment": #""SANDBOX""#]).action == .ignore(.sandbox))
        let event = try decision(["environment": #""SANDBOX""#], takesSandbox: true).published
        #expect(event?.properties["environment"] == "sandbox")
    }

    @Test func `a purchase that the family shares is ignored`() throws {
        #expect(try decision(["is_family_share": "true"]).action == .ignore(.familyShared))
    }

    @Test func `an event that is sent again is the same event`() throws {
        #expect(try decision().published?.encoded() == decision().published?.encoded())
    }

    @Test func `times that are in the future or missing give way to the event's`() throws {
        let time = Timestamp(milliseconds: moment)
        #expect(try decision(["purchased_at_ms": "\(moment + day)"]).published?.time == time)
        #expect(try decision(["purchased_at_ms": nil]).published?.time == time)
        #expect(try decision(["purchased_at_ms": nil, "event_timestamp_ms": nil]).published?.time == now)
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"event":null}"#, #"{"event":{"type":"TEST"}}"#, #"{"event":{"id":"1"}}"#,
        #"{"event":{"type":7,"id":"1"}}"#,
    ])
    func `what is not RevenueCat's is refused`(text: String) {
        let webhook = RevenueCatWebhook(authorization: Self.secret, source: "app://shop")
        let refusal = #expect(throws: NotificationRefusal.self) {
            try webhook.decision(about: Array(text.utf8), now: now)
        }
        #expect(refusal?.kind == .unreadable)
    }

    @Test func `only the whole header is the secret`() {
        let webhook = RevenueCatWebhook(authorization: Self.secret, source: "app://shop")
        #expect(webhook.isAuthorized(Self.secret))
        let wrong = [nil, "", "Bearer", String(Self.secret.dropLast()), Self.secret + " ", Self.secret.lowercased()]
        for header in wrong { #expect(!webhook.isAuthorized(header), "\(header ?? "none")") }
    }
}
