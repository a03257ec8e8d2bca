public import Foundation
import SwiftASN1
import X509

/// Signs notifications as the App Store's server does, with an authority of its own.
///
/// ```swift
/// let store = try SimulatedAppStore(SigningAuthority(.init(around: .now)))
/// let body = try store.body(of: notification)
/// ```
public struct SimulatedAppStore: Sendable {
    /// The header of a signature.
    public struct Header: Encodable, Sendable {
        /// The algorithm.
        public var alg = "ES256"
        /// The certificates in base64: leaf, intermediate, root.
        public var x5c: [String]
        /// Parameters that a reader must know.
        public var crit: [String]?
    }

    /// The header of its signatures.
    public let header: Header
    private let authority: SigningAuthority

    /// Creates a store.
    public init(_ authority: SigningAuthority) throws {
        self.authority = authority
        header = Header(
            x5c: try authority.chain.map { certificate in
                var serializer = DER.Serializer()
                try serializer.serialize(certificate)
                return Data(serializer.serializedBytes).base64EncodedString()
            }
        )
    }

    /// The body of the post of a notification: `{"signedPayload":"…"}`.
    ///
    /// - Parameter other: signs the inner parts; `nil` for this store.
    public func body(of notification: StoreNotification, innerPartsBy other: SimulatedAppStore? = nil) throws -> [UInt8]
    {
        try Self.body(signedPayload: signedPayload(of: notification, innerPartsBy: other))
    }

    /// The body of a post with any signature.
    public static func body(signedPayload: String) throws -> [UInt8] {
        try Array(encoder.encode(["signedPayload": signedPayload]))
    }

    /// The signed notification, with a signed transaction and a signed renewal in it.
    public func signedPayload(
        of notification: StoreNotification,
        innerPartsBy other: SimulatedAppStore? = nil
    ) throws -> String {
        let inner = other ?? self
        var data = Payload.Content(
            bundleId: notification.bundleId,
            appAppleId: notification.appAppleId,
            environment: notification.environment
        )
        if let transaction = notification.transaction {
            data.signedTransactionInfo = try inner.signed(transaction)
            if notification.hasRenewalInfo {
                data.signedRenewalInfo = try inner.signed(Renewal(notification, transaction))
            }
        }
        return try signed(
            Payload(
                notificationType: notification.notificationType,
                subtype: notification.subtype,
                notificationUUID: notification.notificationUUID,
                signedDate: notification.signedDate,
                data: data
            )
        )
    }

    /// A JWS of a payload.
    ///
    /// - Parameter header: the header; `nil` for the store's own.
    public func signed(_ payload: some Encodable, header: Header? = nil) throws -> String {
        let signed =
            Self.base64URL(try Self.encoder.encode(header ?? self.header)) + "."
            + Self.base64URL(try Self.encoder.encode(payload))
        return try signed + "." + Self.base64URL(authority.signature(for: Data(signed.utf8)))
    }

    /// Base64url without padding.
    public static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    // Sorted, so that the same notification always has the same text.
    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private struct Payload: Encodable {
        struct Content: Encodable {
            var bundleId: String
            var appAppleId: Int64?
            var bundleVersion = "1"
            var environment: String
            var signedTransactionInfo: String?
            var signedRenewalInfo: String?
        }

        var notificationType: String
        var subtype: String?
        var notificationUUID: String
        var version = "2.0"
        var signedDate: Int64?
        var data: Content
    }

    private struct Renewal: Encodable {
        var originalTransactionId: String?
        var autoRenewProductId: String?
        var productId: String?
        var autoRenewStatus = 1
        var environment: String
        var signedDate: Int64?

        init(_ notification: StoreNotification, _ transaction: StoreNotification.Transaction) {
            originalTransactionId = transaction.originalTransactionId
            autoRenewProductId = transaction.productId
            productId = transaction.productId
            environment = notification.environment
            signedDate = notification.signedDate
        }
    }
}
