/// A value that the App Store has signed, and whether the signature is valid.
public enum VerificationResult<SignedType: Sendable>: Sendable {
    /// It is not.
    case unverified(SignedType, VerificationError)
    /// It is.
    case verified(SignedType)

    /// Why a signature is not valid.
    public enum VerificationError: Error, Sendable {
        /// The signature is another one.
        case invalidSignature
        /// It was made for another device.
        case invalidDeviceVerification
    }
}
