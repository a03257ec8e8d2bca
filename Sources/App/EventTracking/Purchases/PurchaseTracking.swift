/// What has become of a result or an update of a store.
public enum PurchaseTracking: Sendable, Hashable {
    /// An event with these facts was tracked.
    case tracked(PurchaseFacts)
    /// Nothing was tracked.
    case ignored(Reason)

    /// Why nothing was tracked.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The store's signature is not valid.
        case unverified
        /// The purchase is counted already: it came as a result and as an update, or again because the app has not finished
        /// the transaction.
        case counted
        /// The person had it before: a restore, or the purchase of what is owned already.
        case restored
        /// A subscription has renewed itself. The store's server tells the collector.
        case renewed
        /// The store has taken the purchase back. The store's server tells the collector.
        case revoked
        /// Someone else has paid: another person of the family, or an organization.
        case shared
        /// It was bought in another install of the app, which counts it.
        case otherInstall
        /// The purchase has failed, or ended in a way that this release does not know.
        case failed
        /// The user has opted out.
        case optedOut
    }
}

/// Who the `appAccountToken`s of an app's purchases name.
public enum AccountTokens: Sendable, Hashable {
    /// The install: `purchaseOptions` sets them. A transaction with another token is another install's.
    case installs
    /// Accounts of the app's own, on any number of devices: the app sets them.
    case accounts
}
