public import FlowEvents
import Foundation
import FunnelServiceSupport

/// Reads RevenueCat's [webhooks](https://www.revenuecat.com/docs/integrations/webhooks), and decides what each means.
///
/// ```swift
/// let webhook = RevenueCatWebhook(authorization: secret, source: "app://com.example.shop")
/// guard webhook.isAuthorized(request.headers[.authorization]) else { throw unauthorized }
/// let decision = try webhook.decision(about: body, now: .now)
/// ```
///
/// It does no I/O and reads no clock.
public struct RevenueCatWebhook: Sendable {
    private let authorization: [UInt8]
    private let source: String
    private let takesSandbox: Bool

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - authorization: the value of the header `Authorization`, as RevenueCat's dashboard has it.
    ///   - source: the CloudEvents `source` of the events, as the app's own events have it.
    ///   - takesSandbox: whether purchases of a sandbox become events.
    public init(authorization: String, source: String, takesSandbox: Bool = false) {
        self.authorization = Array(authorization.utf8)
        self.source = source
        self.takesSandbox = takesSandbox
    }

    /// Whether a request has the secret. The time of the comparison does not show how much of a guess was right.
    public func isAuthorized(_ header: String?) -> Bool {
        SecretComparison.isEqual(authorization, Array((header ?? "").utf8))
    }

    /// Decides what a webhook means. Call ``isAuthorized(_:)`` before.
    ///
    /// - Parameters:
    ///   - body: the body of RevenueCat's post: `{"event":{…},"api_version":"1.0"}`.
    ///   - now: when it has arrived.
    /// - Throws: why it is not taken.
    public func decision(about body: [UInt8], now: Timestamp) throws(NotificationRefusal) -> StoreDecision {
        let event: RevenueCatEvent
        do {
            event = try JSONDecoder().decode(Envelope.self, from: Data(body)).event
        } catch {
            throw NotificationRefusal(.unreadable, #"expected {"event":{"type":"…","id":"…"}}, as RevenueCat sends"#)
        }
        let type = RevenueCatKind.label(event.type)
        guard let kind = RevenueCatKind.kind(of: event) else { return StoreDecision(type: type, .ignore(.kind)) }
        guard takesSandbox || !event.isSandbox else { return StoreDecision(type: type, .ignore(.sandbox)) }
        guard event.isFamilyShare != true else { return StoreDecision(type: type, .ignore(.familyShared)) }
        return StoreDecision(type: type, StoreAction(StoreEvent(kind, of: event, source: source, now: now), now: now))
    }

    private struct Envelope: Decodable {
        var event: RevenueCatEvent
    }
}
