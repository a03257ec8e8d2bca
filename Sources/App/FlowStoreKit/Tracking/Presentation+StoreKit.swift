public import EventTracking
public import FlowAnalytics

extension Presentation {
    /// The options for a purchase on this presentation: the install as the `appAccountToken`.
    ///
    /// ```swift
    /// let result = try await product.purchase(options: await presentation.purchaseOptions)
    /// await presentation.track(result, of: product)
    /// ```
    ///
    /// The App Store's server then names the install to the collector, and a purchase that ends in a later launch, or after
    /// a crash, keeps this presentation: reading the options remembers it on the device.
    ///
    /// Empty where the install id is no UUID or cannot be read, where the user has opted out, and where the app has account
    /// tokens of its own; see `Tracker.trackTransactionUpdates(accountTokens:)`. Add further options with `union`.
    public var purchaseOptions: Set<Product.PurchaseOption> {
        get async { await purchases.options(on: paywall) }
    }

    /// Tracks how a purchase on this presentation ended: a `purchase`, a `purchase_pending` or a `purchase_canceled`.
    ///
    /// A purchase counts once, also where StoreKit reports it again. A restored one is no purchase. The transaction is not
    /// finished: the app does that when it has unlocked what was bought. Call this before.
    ///
    /// - Parameters:
    ///   - result: what `purchase(options:)` has returned.
    ///   - product: what was to be bought.
    /// - Returns: what was tracked, or why nothing was. With a queue on the device, an event is on the disk then.
    @discardableResult
    public func track(_ result: Product.PurchaseResult, of product: Product) async -> PurchaseTracking {
        await track(.success(result), of: product)
    }

    /// Tracks how a purchase on this presentation ended, as SwiftUI's store views tell it, or as an app has caught it.
    ///
    /// ```swift
    /// StoreView(ids: ["pro.month", "pro.year"])
    ///     .inAppPurchaseOptions { _ in await presentation.purchaseOptions }
    ///     .onInAppPurchaseCompletion { product, result in await presentation.track(result, of: product) }
    /// ```
    ///
    /// An error is no event, but for one that says that the person has given up.
    ///
    /// - Parameters:
    ///   - result: what `purchase(options:)` has returned or thrown.
    ///   - product: what was to be bought.
    /// - Returns: what was tracked, or why nothing was.
    @discardableResult
    public func track(
        _ result: Result<Product.PurchaseResult, any Error>,
        of product: Product
    ) async -> PurchaseTracking {
        await purchases.take(result, of: product, on: paywall) { track($0) }
    }
}
