import Foundation
import SimulatedAppStore
import StoreNotifications

@testable import EventCollector

let install = "0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d5e"
let revenueCatSecret = "Bearer of-a-secret-0123456789"

/// A store's server that the tests' collectors trust.
struct TestStore: Sendable {
    static let deadLetterTopic = "app-events.dlq"
    static let bundle = "com.example.shop"
    /// When its notifications are signed.
    static let moment = Int64(Date.now.timeIntervalSince1970) * 1000 - 60_000

    private let authority: SigningAuthority
    let server: SimulatedAppStore

    init() throws {
        authority = try SigningAuthority(.init(around: .now))
        server = try SimulatedAppStore(authority)
    }

    /// Configures both webhooks.
    func configure(_ settings: inout CollectorSettings) {
        let app = AppStoreApp(bundleID: Self.bundle)
        settings.webhooks.appStore = AppStoreSettings(roots: [authority.root], apps: [app])
        settings.webhooks.revenueCat = RevenueCatSettings(authorization: revenueCatSecret, source: "app://shop")
    }

    /// The body of a notification about a transaction of 9.99 euros.
    func body(
        _ type: String = "SUBSCRIBED",
        transaction id: String = "2000000123",
        token: String? = install,
        bundle: String = bundle,
        environment: String = "Production"
    ) throws -> [UInt8] {
        var transaction = StoreNotification.Transaction(id, bundleId: bundle, price: 9990, at: Self.moment)
        transaction.appAccountToken = token
        transaction.environment = environment
        var notification = StoreNotification(
            type,
            uuid: "n-\(id)",
            signedDate: Self.moment,
            bundleId: bundle,
            transaction: transaction
        )
        notification.environment = environment
        return try server.body(of: notification)
    }

    /// The body of RevenueCat's post of a renewal.
    static func renewal(id: String = "rc-1", attributes: String = #"{"install_id":{"value":"i-1"}}"#) -> [UInt8] {
        Array(
            (#"{"event":{"type":"RENEWAL","id":"\#(id)","event_timestamp_ms":\#(moment),"environment":"PRODUCTION","#
                + #""price":8.14,"price_in_purchased_currency":7.99,"currency":"EUR","store":"PLAY_STORE","#
                + #""subscriber_attributes":\#(attributes)},"api_version":"1.0"}"#).utf8
        )
    }
}

extension RunningCollector {
    /// Posts a body to a webhook, as its sender does.
    func post(_ body: [UInt8], to webhook: String, _ arguments: [String] = []) async throws -> Answer {
        let url = "http://127.0.0.1:\(port)/v1/webhooks/\(webhook)"
        let standard = ["-H", "Content-Type: application/json"]
        return try await Answer(curl: standard + arguments + ["--data-binary", "@-", url], input: body)
    }

    func postToRevenueCat(_ body: [UInt8], _ secret: String = revenueCatSecret) async throws -> Answer {
        try await post(body, to: "revenuecat", ["-H", "Authorization: \(secret)"])
    }
}
