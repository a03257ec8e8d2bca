public import EventTracking
public import FlowEvents

extension Presentation {
    /// Tracks a purchase on this presentation whose facts the app has from a store or another library, from any thread. The
    /// app sees to it that it counts once.
    ///
    /// - Parameters:
    ///   - facts: what is known of the purchase.
    ///   - properties: what the app adds to the event. The facts replace properties of their names.
    public func track(_ facts: PurchaseFacts, properties: [String: PropertyValue] = [:]) {
        track(facts.draft(adding: properties))
    }

    /// Counts what is bought on the paywall.
    package var purchases: PurchaseJournal { tag.origin.purchases }

    /// The presentation, as it is kept for a purchase that ends later.
    package var paywall: PaywallReference { PaywallReference(presentationID: id, source: tag.origin.name) }
}
