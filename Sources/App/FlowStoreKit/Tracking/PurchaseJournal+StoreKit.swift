import EventTracking

extension PurchaseJournal {
    /// Tracks how a purchase of the person ended.
    ///
    /// - Parameters:
    ///   - result: what `purchase(options:)` has returned or thrown.
    ///   - product: what was to be bought.
    ///   - paywall: where; `nil` elsewhere than on a paywall.
    ///   - track: tracks the event.
    func take(
        _ result: Result<Product.PurchaseResult, any Error>,
        of product: Product,
        on paywall: PaywallReference?,
        track: @Sendable (EventDraft) -> Void
    ) async -> PurchaseTracking {
        // Not a switch: Apple's enumerations may get more cases, and those of the stand-in may not.
        if case .success(.success(let verification)) = result {
            guard case .verified(let transaction) = verification else {
                await fail(on: paywall)
                return .ignored(.unverified)
            }
            return await take(
                StoreTransaction(transaction),
                from: .result(paywall),
                product: PurchaseFacts(.purchased, of: product),
                track: track
            )
        }
        if case .success(.pending) = result {
            return await take(PurchaseFacts(.pending, of: product), on: paywall, track: track)
        }
        if result.isCanceled { return await take(PurchaseFacts(.canceled, of: product), on: paywall, track: track) }
        await fail(on: paywall)
        return .ignored(.failed)
    }

    /// The options of a purchase on a paywall.
    func options(on paywall: PaywallReference?) async -> Set<Product.PurchaseOption> {
        guard let token = await begin(paywall) else { return [] }
        return [.appAccountToken(token)]
    }
}

extension Result<Product.PurchaseResult, any Error> {
    /// Whether the person has given the purchase up, which StoreKit says in two ways.
    fileprivate var isCanceled: Bool {
        switch self {
        case .success(let result): if case .userCancelled = result { true } else { false }
        case .failure(let error): if case .userCancelled? = error as? StoreKitError { true } else { false }
        }
    }
}
