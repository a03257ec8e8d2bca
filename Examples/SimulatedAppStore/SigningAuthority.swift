import Crypto
public import Foundation
import SwiftASN1
public import X509

/// A chain of certificates like the one that the App Store signs with, made here: root, intermediate and leaf, with the
/// extensions that Apple marks its own with.
///
/// Nobody trusts it but who is told to: a demo, a benchmark, a test.
public struct SigningAuthority: Sendable {
    /// What a chain is like.
    public struct Options: Sendable {
        /// When the root and the intermediate are valid.
        public var issuersValidity: ClosedRange<Date>
        /// When the leaf is valid.
        public var leafValidity: ClosedRange<Date>
        /// Whether the leaf is marked as a signer of the App Store.
        public var isLeafMarked = true
        /// Whether the intermediate is marked as Apple's.
        public var isIntermediateMarked = true

        /// The options of a right chain, valid for ten years around a time.
        public init(around now: Date) {
            let years = now.addingTimeInterval(-5 * 365 * 86_400)...now.addingTimeInterval(5 * 365 * 86_400)
            issuersValidity = years
            leafValidity = years
        }
    }

    /// The root.
    public let root: Certificate
    /// The certificates as a header has them: leaf, intermediate, root.
    let chain: [Certificate]
    private let key: P256.Signing.PrivateKey

    /// Makes keys and certificates.
    ///
    /// - Throws: the errors of the libraries. None is expected.
    public init(_ options: Options) throws {
        let (rootKey, intermediateKey) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        key = P256.Signing.PrivateKey()
        let (rootName, intermediateName) = (try Self.name("Simulated Root CA"), try Self.name("Simulated Relations CA"))
        root = try Self.certificate(
            of: rootKey.publicKey,
            rootName,
            by: rootKey,
            rootName,
            validity: options.issuersValidity,
            isAuthority: true
        )
        let intermediate = try Self.certificate(
            of: intermediateKey.publicKey,
            intermediateName,
            by: rootKey,
            rootName,
            validity: options.issuersValidity,
            mark: options.isIntermediateMarked ? [1, 2, 840, 113_635, 100, 6, 2, 1] : nil,
            isAuthority: true
        )
        let leaf = try Self.certificate(
            of: key.publicKey,
            try Self.name("Simulated App Store"),
            by: intermediateKey,
            intermediateName,
            validity: options.leafValidity,
            mark: options.isLeafMarked ? [1, 2, 840, 113_635, 100, 6, 11, 1] : nil,
            isAuthority: false
        )
        chain = [leaf, intermediate, root]
    }

    /// The root in PEM, as a file of an operator has it.
    public func rootPEM() throws -> String { try root.serializeAsPEM().pemString }

    /// Signs bytes with the leaf's key: ECDSA on P-256 with SHA-256, 64 bytes.
    func signature(for bytes: Data) throws -> Data { try key.signature(for: bytes).rawRepresentation }

    private static func name(_ text: String) throws -> DistinguishedName {
        try DistinguishedName { CommonName(text) }
    }

    private static func certificate(
        of key: P256.Signing.PublicKey,
        _ subject: DistinguishedName,
        by issuerKey: P256.Signing.PrivateKey,
        _ issuer: DistinguishedName,
        validity: ClosedRange<Date>,
        mark: ASN1ObjectIdentifier? = nil,
        isAuthority: Bool
    ) throws -> Certificate {
        // The value of Apple's own marks: NULL.
        let marks = mark.map { [Certificate.Extension(oid: $0, critical: false, value: [0x05, 0x00])] } ?? []
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key),
            notValidBefore: validity.lowerBound,
            notValidAfter: validity.upperBound,
            issuer: issuer,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                if isAuthority {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                } else {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                }
                for mark in marks { mark }
            },
            issuerPrivateKey: Certificate.PrivateKey(issuerKey)
        )
    }
}
