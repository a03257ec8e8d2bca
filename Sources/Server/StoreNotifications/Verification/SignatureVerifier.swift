import Crypto
import FlowEvents
import Foundation
import Synchronization
import X509

/// A payload that says when it was signed.
protocol SignedPayload: Decodable {
    /// Milliseconds since 1970.
    var signedDate: Int64? { get }
}

/// Verifies what the App Store signs, and remembers chains of certificates that were right.
///
/// The App Store signs with few certificates, for months each. To build and verify their chain for each signature would
/// take several times the time of the signature itself.
final class SignatureVerifier: Sendable {
    private struct Trusted: Sendable {
        var key: P256.Signing.PublicKey
        /// Seconds since 1970.
        var validity: ClosedRange<Int64>
    }

    private static let maximumCount = 64
    // The years 1970 to 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    private let roots: CertificateStore
    // By the header as it is written. Only what a trusted key has signed gets in, so that nobody else can fill it.
    private let trusted = Mutex<[Substring: Trusted]>([:])

    init(roots: [Certificate]) {
        self.roots = CertificateStore(roots)
    }

    /// Verifies a JWS, and decodes its payload.
    ///
    /// The certificates must have been valid when it was signed, as its own `signedDate` says: the App Store sends a
    /// notification again for days. Only the certificate's owner can write that date.
    ///
    /// - Parameters:
    ///   - text: the JWS.
    ///   - what: its name in an error.
    ///   - now: the time of signing for a payload that does not say it.
    func payload<Payload: SignedPayload>(
        of text: String,
        _ what: String,
        as _: Payload.Type,
        now: Timestamp
    ) async throws(NotificationRefusal) -> Payload {
        let jws = try CompactJWS(text, what)
        let known = trusted.withLock { $0[jws.header] }
        let chain: SigningChain?
        if known == nil { chain = try SigningChain(header: jws.header, what) } else { chain = nil }
        guard let key = known?.key ?? chain?.key, Self.isSigned(jws, with: key) else {
            throw NotificationRefusal(.unauthorized, "\(what): the signature is not of the certificate in x5c")
        }
        // Nothing of the payload is used before the chain is verified, but the time of signing.
        let payload: Payload
        do {
            payload = try JSONDecoder().decode(Payload.self, from: jws.payload)
        } catch {
            throw NotificationRefusal(.unreadable, "\(what): expected a payload in JSON, as the App Store documents it")
        }
        let time = payload.signedDate.map(Timestamp.init(milliseconds:)) ?? now
        // Anybody can sign a date that no certificate can write.
        guard Self.times.contains(time.milliseconds) else {
            throw NotificationRefusal(.unauthorized, "\(what): signedDate is out of range")
        }
        if let known, known.validity.contains(SigningChain.seconds(time)) { return payload }
        let found: SigningChain
        if let chain { found = chain } else { found = try SigningChain(header: jws.header, what) }
        guard let validity = await found.validity(leadingTo: roots, at: time) else {
            throw NotificationRefusal(
                .unauthorized,
                "\(what): expected certificates of the App Store that lead to a configured root and were valid when it "
                    + "was signed"
            )
        }
        remember(Trusted(key: found.key, validity: validity), for: jws.header)
        return payload
    }

    private static func isSigned(_ jws: CompactJWS, with key: P256.Signing.PublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature) else { return false }
        var signed = jws.signed
        let digest = signed.withUTF8 { SHA256.hash(data: UnsafeRawBufferPointer($0)) }
        return key.isValidSignature(signature, for: digest)
    }

    private func remember(_ chain: Trusted, for header: Substring) {
        trusted.withLock { trusted in
            if trusted.count >= Self.maximumCount { trusted.removeAll() }
            // A copy, because a part of a text keeps the whole text.
            trusted[Substring(String(header))] = chain
        }
    }
}
