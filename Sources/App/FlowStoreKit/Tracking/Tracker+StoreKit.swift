public import EventTracking

extension Tracker {
    /// Tracks the purchases that StoreKit reports outside of a purchase in the app: those that a parent or a bank has
    /// approved, those of an earlier launch that has ended too soon, offer codes, and purchases in the App Store.
    ///
    /// Call it once, at the launch, before the app listens for itself:
    ///
    /// ```swift
    /// tracker.trackTransactionUpdates()
    /// ```
    ///
    /// A purchase keeps the paywall that it began on. Renewals, refunds, restored and family-shared purchases, those of
    /// other installs, and those that are counted already are no purchases. No transaction is finished.
    ///
    /// - Parameter accountTokens: who the app's `appAccountToken`s name. With ``AccountTokens/accounts``, `purchaseOptions`
    ///   sets none.
    /// - Returns: the task that listens. It needs not be kept. It ends when it is canceled.
    @discardableResult
    public func trackTransactionUpdates(accountTokens: AccountTokens = .installs) -> Task<Void, Never> {
        purchases.accountTokens = accountTokens
        let updates = Transaction.updates
        return Task(priority: .utility) {
            await purchases.open()
            for await update in updates { await track(update) }
        }
    }

    /// Tracks one update, for an app that listens to `Transaction.updates` in one place only. Call it in place of
    /// ``trackTransactionUpdates(accountTokens:)``, and before the transaction is finished.
    ///
    /// - Returns: what was tracked, or why nothing was.
    @discardableResult
    public func track(_ update: VerificationResult<Transaction>) async -> PurchaseTracking {
        guard case .verified(let transaction) = update else { return .ignored(.unverified) }
        return await purchases.take(StoreTransaction(transaction), from: .update) { track($0) }
    }

    /// The options for a purchase elsewhere than on a paywall: the install as the `appAccountToken`, where
    /// `Presentation.purchaseOptions` has it.
    public var purchaseOptions: Set<Product.PurchaseOption> {
        get async { await purchases.options(on: nil) }
    }

    /// Tracks how a purchase elsewhere than on a paywall ended, as `Presentation.track(_:of:)` does on one.
    @discardableResult
    public func track(
        _ result: Result<Product.PurchaseResult, any Error>,
        of product: Product
    ) async -> PurchaseTracking {
        await purchases.take(result, of: product, on: nil) { track($0) }
    }

    /// Tracks how a purchase elsewhere than on a paywall ended, as `Presentation.track(_:of:)` does on one.
    @discardableResult
    public func track(_ result: Product.PurchaseResult, of product: Product) async -> PurchaseTracking {
        await track(.success(result), of: product)
    }
}
