import Crypto
import FlowEvents
import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// The certificates in the header of a JWS, and the key that they certify.
struct SigningChain: Sendable {
    /// The leaf's key.
    let key: P256.Signing.PublicKey
    private let leaf: Certificate
    private let intermediate: Certificate

    /// Reads a header: `{"alg":"ES256","x5c":[…]}`.
    init(header text: Substring, _ what: String) throws(NotificationRefusal) {
        guard let data = CompactJWS.decode(text), let header = try? JSONDecoder().decode(Header.self, from: data) else {
            throw NotificationRefusal(.unreadable, "\(what): expected a JWS header in JSON")
        }
        guard header.alg == "ES256" else {
            throw NotificationRefusal(.unauthorized, "\(what): expected the algorithm ES256, found another or none")
        }
        // RFC 7515, 4.1.11: who does not know a critical parameter must refuse the signature.
        guard header.crit == nil else {
            throw NotificationRefusal(.unauthorized, "\(what): expected no critical parameters in the header")
        }
        guard let certificates = header.x5c, certificates.count == AppStoreChainPolicy.length else {
            let found = header.x5c.map { "\($0.count)" } ?? "no x5c"
            throw NotificationRefusal(.unauthorized, "\(what): expected three certificates in x5c, found \(found)")
        }
        // The root in the header is not read: the chain must lead to a configured one.
        guard let leaf = Self.certificate(certificates[0]), let intermediate = Self.certificate(certificates[1]) else {
            throw NotificationRefusal(.unauthorized, "\(what): expected certificates in x5c, found something else")
        }
        guard let key = P256.Signing.PublicKey(leaf.publicKey) else {
            throw NotificationRefusal(.unauthorized, "\(what): expected a certificate with a key on the curve P-256")
        }
        self.key = key
        self.leaf = leaf
        self.intermediate = intermediate
    }

    private struct Header: Decodable {
        var alg: String?
        var x5c: [String]?
        var crit: [String]?
    }

    private static func certificate(_ text: String) -> Certificate? {
        guard let data = Data(base64Encoded: text) else { return nil }
        return try? Certificate(derEncoded: Array(data))
    }
}

extension SigningChain {
    /// Checks that the chain leads to a root, and is of the App Store.
    ///
    /// - Parameters:
    ///   - roots: the trusted roots.
    ///   - time: when the signature was made.
    /// - Returns: the whole seconds since 1970 in which all certificates of the chain are valid.
    func validity(leadingTo roots: CertificateStore, at time: Timestamp) async -> ClosedRange<Int64>? {
        let date = Date(timeIntervalSince1970: Double(Self.seconds(time)))
        var verifier = Verifier(rootCertificates: roots) {
            RFC5280Policy(fixedExpiryValidationTime: date)
            AppStoreChainPolicy()
        }
        let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore([intermediate]))
        guard case .validCertificate(let chain) = result else { return nil }
        // Certificates count in whole seconds, and both ends belong to them.
        let from = chain.map(\.notValidBefore.timeIntervalSince1970).max() ?? .infinity
        let to = chain.map(\.notValidAfter.timeIntervalSince1970).min() ?? -.infinity
        guard from <= to, let first = Int64(exactly: from.rounded(.up)), let last = Int64(exactly: to.rounded(.down)),
            first <= last
        else { return nil }
        return first...last
    }

    /// Whole seconds since 1970, rounded down: certificates know no parts of one.
    static func seconds(_ time: Timestamp) -> Int64 {
        time.milliseconds >= 0 ? time.milliseconds / 1000 : (time.milliseconds - 999) / 1000
    }
}
