import SwiftASN1
import X509

/// The chain of a certificate with which the App Store signs: leaf, intermediate and root, the first two with the
/// extensions that Apple marks them with.
///
/// Apple's other certificates lead to the same roots, so the extensions are what tells them apart.
struct AppStoreChainPolicy: VerifierPolicy {
    /// Marks the leaf: it signs receipts and notifications of the App Store.
    static let signerExtension: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    /// Marks the intermediate: Apple's Worldwide Developer Relations.
    static let intermediateExtension: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]
    static let length = 3

    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        guard chain.count == Self.length else {
            return .failsToMeetPolicy(reason: "expected a chain of \(Self.length), found \(chain.count)")
        }
        guard chain[0].extensions.contains(where: { $0.oid == Self.signerExtension }) else {
            return .failsToMeetPolicy(reason: "the leaf is not marked as a signer of the App Store")
        }
        guard chain[1].extensions.contains(where: { $0.oid == Self.intermediateExtension }) else {
            return .failsToMeetPolicy(reason: "the intermediate is not marked as Apple's")
        }
        return .meetsPolicy
    }
}
