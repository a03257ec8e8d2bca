#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import FlowEvents

extension PurchaseMemory {
    /// Where a transaction comes from.
    package enum Origin: Sendable, Hashable {
        /// The person has just bought it here, on a paywall or elsewhere.
        case result(PaywallReference?)
        /// The store has reported it: it was approved, bought outside of the app, in an earlier launch, or on another device.
        case update
    }

    /// Whether a transaction is a purchase of this install.
    package enum Decision: Sendable, Hashable {
        case purchase(PaywallReference?)
        case ignored(PurchaseTracking.Reason)
    }

    // The store's clock and the device's may differ by so much.
    private static let clockTolerance: Int64 = 3_600_000
    // A transaction that is much older than its signature was not bought just now, and both are of one clock.
    private static let freshness: Int64 = 3_600_000
    // A purchase without a result, because the app was killed meanwhile, was made about when it began.
    private static let longestSheet: Int64 = 24 * 3_600_000

    /// Decides on a transaction, and remembers a purchase.
    ///
    /// - Parameters:
    ///   - transaction: a transaction with a valid signature.
    ///   - origin: where it comes from.
    ///   - installID: the install id; `nil` if it cannot be read now.
    ///   - tokens: who the transaction's token names.
    package mutating func decide(
        _ transaction: StoreTransaction,
        from origin: Origin,
        installID: String?,
        tokens: AccountTokens
    ) -> Decision {
        // Also where an update was faster, and has counted the purchase.
        if case .result(let paywall) = origin { cancel(paywall) }
        if let reason = exclusion(of: transaction) { return .ignored(reason) }
        let decision: Decision
        switch origin {
        case .result(let paywall):
            let age = transaction.signedAt.milliseconds - transaction.purchasedAt.milliseconds
            decision = age > Self.freshness ? .ignored(.restored) : .purchase(paywall)
        case .update:
            decision = decideUpdate(transaction, isOurs: isOurs(transaction, installID, tokens))
        }
        if case .purchase = decision { count(transaction.id) }
        return decision
    }

    private func exclusion(of transaction: StoreTransaction) -> PurchaseTracking.Reason? {
        if transaction.isRevoked { return .revoked }
        if transaction.isPaidByOthers { return .shared }
        if counted.contains(transaction.id) { return .counted }
        if transaction.isRenewal { return .renewed }
        // Only a subscription has several transactions of one purchase.
        return transaction.isRenewable || transaction.id == transaction.originalID ? nil : .restored
    }

    /// Whether the token says that the install has bought it; `nil` if it says nothing.
    private func isOurs(_ transaction: StoreTransaction, _ installID: String?, _ tokens: AccountTokens) -> Bool? {
        guard tokens == .installs, let token = transaction.accountToken else { return nil }
        return installID.flatMap(UUID.init(uuidString:)).map { $0 == token }
    }

    private mutating func decideUpdate(_ transaction: StoreTransaction, isOurs: Bool?) -> Decision {
        if isOurs == false { return .ignored(.otherInstall) }
        if let paywall = takeOpening(of: transaction, isOurs: isOurs) { return .purchase(paywall) }
        let isOld = transaction.purchasedAt.milliseconds < since - Self.clockTolerance
        return isOurs == nil && isOld ? .ignored(.restored) : .purchase(nil)
    }

    private mutating func takeOpening(of transaction: StoreTransaction, isOurs: Bool?) -> PaywallReference? {
        let time = transaction.purchasedAt.milliseconds
        let index =
            openings.lastIndex { opening in
                opening.productID == transaction.productID
                    && time >= opening.beganAt - Self.clockTolerance
                    && time <= opening.beganAt + Self.maximumWait.wholeMilliseconds
            }
            ?? openings.lastIndex { opening in
                // What was bought outside of the app has no token, and no paywall.
                opening.productID == nil && (isOurs == true || transaction.accountToken != nil)
                    && (time - opening.beganAt).magnitude <= Self.longestSheet.magnitude
            }
        return index.map { openings.remove(at: $0).paywall }
    }
}
