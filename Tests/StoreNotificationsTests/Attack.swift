import Crypto
import FlowEvents
import Foundation
import SimulatedAppStore
import Testing

@testable import StoreNotifications

/// A hostile post: the chain that signs it, its body, and how it is refused.
struct Attack: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: NotificationRefusal.Kind
    let options: @Sendable (inout SigningAuthority.Options) -> Void
    let body: @Sendable (Shop) throws -> [UInt8]

    private init(
        _ name: String,
        _ kind: NotificationRefusal.Kind,
        _ body: @escaping @Sendable (Shop) throws -> [UInt8]
    ) {
        (testDescription, self.kind, options, self.body) = (name, kind, { _ in }, body)
    }

    /// An attack by somebody with a certificate that leads to the trusted root.
    private init(_ name: String, _ options: @escaping @Sendable (inout SigningAuthority.Options) -> Void) {
        (testDescription, kind, self.options) = (name, .unauthorized, options)
        body = { shop in try shop.store.body(of: notification()) }
    }
}

extension Attack {
    fileprivate static func payload(_ shop: Shop) throws -> [String] {
        try shop.store.signedPayload(of: notification()).split(separator: ".").map(String.init)
    }

    fileprivate static func changed(_ shop: Shop, _ change: (inout [String]) throws -> Void) throws -> [UInt8] {
        var parts = try payload(shop)
        try change(&parts)
        return try SimulatedAppStore.body(signedPayload: parts.joined(separator: "."))
    }

    fileprivate static func header(_ shop: Shop, _ change: (inout SimulatedAppStore.Header) -> Void) throws -> [UInt8] {
        var header = shop.store.header
        change(&header)
        struct Payload: Encodable {
            var notificationType = "TEST"
            var signedDate = moment
            var data = ["bundleId": bundle, "environment": "Production"]
        }
        return try SimulatedAppStore.body(signedPayload: shop.store.signed(Payload(), header: header))
    }

    /// All attacks.
    static let all: [Attack] = [
        // Forged.
        Attack("the payload is another than was signed", .unauthorized) { shop in
            try changed(shop) { parts in
                let payload = try #require(CompactJWS.decode(Substring(parts[1])))
                let text = String(decoding: payload, as: UTF8.self).replacing("SUBSCRIBED", with: "DID_RENEW")
                parts[1] = SimulatedAppStore.base64URL(Data(text.utf8))
            }
        },
        Attack("the signature is of another key", .unauthorized) { shop in
            try changed(shop) { parts in
                let key = P256.Signing.PrivateKey()
                let signature = try key.signature(for: Data((parts[0] + "." + parts[1]).utf8))
                parts[2] = SimulatedAppStore.base64URL(signature.rawRepresentation)
            }
        },
        Attack("the signature is all zeros", .unauthorized) { shop in
            try changed(shop) { $0[2] = SimulatedAppStore.base64URL(Data(count: 64)) }
        },
        Attack("the signature is in DER", .unauthorized) { shop in
            try changed(shop) { parts in
                let raw = try #require(CompactJWS.decode(Substring(parts[2])))
                let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
                parts[2] = SimulatedAppStore.base64URL(signature.derRepresentation)
            }
        },
        // The wrong root.
        Attack("another root", .unauthorized) { _ in try Shop().store.body(of: notification()) },
        Attack("the transaction inside is of another root", .unauthorized) { shop in
            try shop.store.body(of: notification(), innerPartsBy: Shop().store)
        },
        Attack("the leaf of another root with the intermediate and root that are trusted", .unauthorized) { shop in
            let other = try Shop()
            return try header(other) { header in
                header.x5c = [header.x5c[0], shop.store.header.x5c[1], shop.store.header.x5c[2]]
            }
        },
        // Apple's marks.
        Attack("the leaf is not of the App Store", { $0.isLeafMarked = false }),
        Attack("the intermediate is not Apple's", { $0.isIntermediateMarked = false }),
        // Expired.
        Attack("the leaf was expired when it was signed", { $0.leafValidity = date(-9)...date(-1) }),
        Attack("the leaf was not valid yet when it was signed", { $0.leafValidity = date(1)...date(9) }),
        Attack("the issuers were expired when it was signed", { $0.issuersValidity = date(-9)...date(-1) }),
        Attack("a date that no certificate can write", .unauthorized) { shop in
            try shop.store.body(of: notification { notification, _ in notification.signedDate = .max })
        },
        Attack("a date before 1970", .unauthorized) { shop in
            try shop.store.body(of: notification { notification, _ in notification.signedDate = .min })
        },
        // Downgraded.
        Attack("alg: none", .unauthorized) { shop in try header(shop) { $0.alg = "none" } },
        Attack("alg: none, and no signature", .unauthorized) { shop in
            let none = Data(#"{"alg":"none"}"#.utf8)
            return try changed(shop) { ($0[0], $0[2]) = (SimulatedAppStore.base64URL(none), "") }
        },
        Attack("alg: RS256", .unauthorized) { shop in try header(shop) { $0.alg = "RS256" } },
        Attack("alg: HS256, with the root as the secret", .unauthorized) { shop in
            let header = SimulatedAppStore.base64URL(Data(#"{"alg":"HS256"}"#.utf8))
            let signed = try header + "." + payload(shop)[1]
            let secret = SymmetricKey(data: try #require(Data(base64Encoded: shop.store.header.x5c[2])))
            let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: secret)
            return try SimulatedAppStore.body(signedPayload: signed + "." + SimulatedAppStore.base64URL(Data(code)))
        },
        Attack("alg: es256", .unauthorized) { shop in try header(shop) { $0.alg = "es256" } },
        Attack("a critical parameter", .unauthorized) { shop in try header(shop) { $0.crit = ["b64"] } },
        // The chain.
        Attack("no certificates", .unauthorized) { shop in try header(shop) { $0.x5c = [] } },
        Attack("two certificates", .unauthorized) { shop in try header(shop) { $0.x5c.removeLast() } },
        Attack("four certificates", .unauthorized) { shop in try header(shop) { $0.x5c.append($0.x5c[2]) } },
        Attack("certificates in another order", .unauthorized) { shop in try header(shop) { $0.x5c.reverse() } },
        Attack("certificates that are none", .unauthorized) { shop in
            try header(shop) { $0.x5c = ["AAAA", "!", ""] }
        },
        // The wrong app.
        Attack("another bundle id", .foreign) { shop in
            try shop.store.body(of: notification { notification, _ in notification.bundleId = "com.example.other" })
        },
        Attack("another bundle id inside", .foreign) { shop in
            try shop.store.body(of: notification { _, transaction in transaction.bundleId = "com.example.other" })
        },
        Attack("another environment inside", .foreign) { shop in
            try shop.store.body(of: notification { _, transaction in transaction.environment = "Sandbox" })
        },
        Attack("another environment in the renewal", .foreign) { shop in
            var sandbox = notification()
            sandbox.environment = "Sandbox"
            sandbox.transaction?.environment = "Production"
            return try shop.store.body(of: sandbox)
        },
        Attack("the environment of Xcode", .foreign) { shop in
            try shop.store.body(of: notification { notification, _ in notification.environment = "Xcode" })
        },
        // Truncated, and not what it should be.
        Attack("nothing", .unreadable) { _ in [] },
        Attack("half of the body", .unreadable) { shop in
            let body = try shop.store.body(of: notification())
            return Array(body.prefix(body.count / 2))
        },
        Attack("half of the signature", .unauthorized) { shop in
            try changed(shop) { $0[2] = String($0[2].prefix(43)) }
        },
        Attack("no signature", .unreadable) { shop in try changed(shop) { $0.removeLast() } },
        Attack("a part too many", .unreadable) { shop in try changed(shop) { $0.append("AAAA") } },
        Attack("padding in base64url", .unreadable) { shop in try changed(shop) { $0[2] += "==" } },
        Attack("not base64url", .unreadable) { shop in try changed(shop) { $0[1] = "€" } },
        Attack("a header that is not JSON", .unreadable) { shop in try changed(shop) { $0[0] = "AAAA" } },
        Attack("version 1", .unreadable) { _ in Array(#"{"notification_type":"DID_RENEW"}"#.utf8) },
        Attack("a signed payload without a type", .unreadable) { shop in
            try SimulatedAppStore.body(signedPayload: shop.store.signed(["subtype": "INITIAL_BUY"]))
        },
        Attack("a purchase without a transaction", .unreadable) { shop in
            var bare = notification()
            bare.transaction = nil
            return try shop.store.body(of: bare)
        },
    ]
}
