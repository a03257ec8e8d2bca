import FlowEvents
import StoreNotifications

/// A sender of notifications: who may post, and what a post means.
enum Webhook: Sendable {
    case appStore(AppStoreWebhook)
    case revenueCat(RevenueCatWebhook)

    /// The name in metrics and logs.
    var name: String {
        switch self {
        case .appStore: "app_store"
        case .revenueCat: "revenuecat"
        }
    }

    /// Whether a request may be read. The App Store has no secret: it signs what it sends.
    func isAuthorized(_ authorization: String?) -> Bool {
        switch self {
        case .appStore: true
        case .revenueCat(let webhook): webhook.isAuthorized(authorization)
        }
    }

    /// Whether the sender of an authorized request is known before its body is read.
    var hasSecret: Bool {
        if case .revenueCat = self { true } else { false }
    }

    /// Verifies a body, and decides what it means.
    func decision(about body: [UInt8], now: Timestamp) async throws(NotificationRefusal) -> StoreDecision {
        switch self {
        case .appStore(let webhook): try await webhook.decision(about: body, now: now)
        case .revenueCat(let webhook): try webhook.decision(about: body, now: now)
        }
    }
}

extension WebhookSettings {
    /// The configured webhooks, by the path that is posted to.
    var webhooks: [String: Webhook] {
        var webhooks: [String: Webhook] = [:]
        if let appStore {
            let webhook = AppStoreWebhook(roots: appStore.roots, apps: appStore.apps, takesSandbox: takesSandbox)
            webhooks["/v1/webhooks/app-store"] = .appStore(webhook)
        }
        if let revenueCat {
            let webhook = RevenueCatWebhook(
                authorization: revenueCat.authorization,
                source: revenueCat.source,
                takesSandbox: takesSandbox
            )
            webhooks["/v1/webhooks/revenuecat"] = .revenueCat(webhook)
        }
        return webhooks
    }
}
