public import FlowEvents
import EventTracking
import Foundation
public import X509

/// Reads the [App Store Server Notifications](https://developer.apple.com/documentation/appstoreservernotifications),
/// version 2, and decides what each means.
///
/// ```swift
/// let webhook = AppStoreWebhook(roots: [root], apps: [AppStoreApp(bundleID: "com.example.shop")])
/// let decision = try await webhook.decision(about: body, now: .now)
/// ```
///
/// It does no I/O and reads no clock. It remembers the chains of certificates that it has verified.
public struct AppStoreWebhook: Sendable {
    private let apps: [AppStoreApp]
    private let takesSandbox: Bool
    private let signatures: SignatureVerifier

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - roots: the certificates that signatures must lead to: Apple's.
    ///   - apps: the apps whose notifications are taken.
    ///   - takesSandbox: whether transactions of the sandbox become events.
    public init(roots: [Certificate], apps: [AppStoreApp], takesSandbox: Bool = false) {
        self.apps = apps
        self.takesSandbox = takesSandbox
        signatures = SignatureVerifier(roots: roots)
    }

    /// Verifies a notification, and decides what it means.
    ///
    /// - Parameters:
    ///   - body: the body of the App Store's post: `{"signedPayload":"…"}`.
    ///   - now: when it has arrived.
    /// - Throws: why it is not taken.
    public func decision(about body: [UInt8], now: Timestamp) async throws(NotificationRefusal) -> StoreDecision {
        let envelope: Envelope
        do {
            envelope = try JSONDecoder().decode(Envelope.self, from: Data(body))
        } catch {
            throw NotificationRefusal(
                .unreadable,
                #"expected {"signedPayload":"…"}, as the App Store's version 2 has it"#
            )
        }
        let payload = try await signatures.payload(
            of: envelope.signedPayload,
            "signedPayload",
            as: AppStorePayload.self,
            now: now
        )
        let (app, environment) = try owner(of: payload)
        let transaction = try await transaction(of: payload, app, environment, now: now)
        let type = AppStoreKind.label(payload.notificationType)
        guard let kind = AppStoreKind.kind(of: payload.notificationType, payload.subtype) else {
            return StoreDecision(type: type, .ignore(.kind))
        }
        guard environment == .production || takesSandbox else { return StoreDecision(type: type, .ignore(.sandbox)) }
        guard let transaction else {
            throw NotificationRefusal(.unreadable, "data.signedTransactionInfo: required for this notificationType")
        }
        guard transaction.inAppOwnershipType != "FAMILY_SHARED" else {
            return StoreDecision(type: type, .ignore(.familyShared))
        }
        let event = StoreEvent(kind, of: transaction, in: payload, from: app, environment, now: now)
        return StoreDecision(type: type, StoreAction(event, now: now))
    }

    private struct Envelope: Decodable {
        var signedPayload: String
    }

    private func owner(
        of payload: AppStorePayload
    ) throws(NotificationRefusal) -> (AppStoreApp, PurchaseEnvironment) {
        let subject = payload.subject
        guard let app = apps.first(where: { $0.bundleID == subject?.bundleId }) else {
            throw NotificationRefusal(.foreign, "bundleId: expected that of a configured app")
        }
        let environment = try Self.environment(subject?.environment)
        if environment == .production, let appleID = app.appleID, appleID != subject?.appAppleId {
            throw NotificationRefusal(.foreign, "appAppleId: expected the app's number in the configuration")
        }
        return (app, environment)
    }

    /// Verifies all that is signed in the notification, also where no event needs it.
    private func transaction(
        of payload: AppStorePayload,
        _ app: AppStoreApp,
        _ environment: PurchaseEnvironment,
        now: Timestamp
    ) async throws(NotificationRefusal) -> AppStoreTransaction? {
        if let text = payload.data?.signedRenewalInfo {
            let name = "data.signedRenewalInfo"
            let renewal = try await signatures.payload(of: text, name, as: AppStoreRenewal.self, now: now)
            guard try Self.environment(renewal.environment) == environment else { throw Self.mixed(name) }
        }
        guard let text = payload.data?.signedTransactionInfo else { return nil }
        let name = "data.signedTransactionInfo"
        let transaction = try await signatures.payload(of: text, name, as: AppStoreTransaction.self, now: now)
        guard transaction.bundleId == app.bundleID, try Self.environment(transaction.environment) == environment else {
            throw Self.mixed(name)
        }
        return transaction
    }

    private static func environment(_ text: String?) throws(NotificationRefusal) -> PurchaseEnvironment {
        switch text {
        case "Production": return .production
        case "Sandbox": return .sandbox
        // Nobody but the developer signs for `Xcode` and `LocalTesting`.
        default: throw NotificationRefusal(.foreign, "environment: expected Production or Sandbox")
        }
    }

    private static func mixed(_ name: String) -> NotificationRefusal {
        NotificationRefusal(.foreign, "\(name): expected the notification's bundleId and environment")
    }
}
