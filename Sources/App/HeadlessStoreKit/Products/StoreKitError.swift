/// Why the App Store could not do what it was asked for.
public enum StoreKitError: Error, Sendable {
    /// Any other cause.
    case unknown
    /// The person has given it up.
    case userCancelled
    /// The product is not sold here.
    case notAvailableInStorefront
}
