public import FlowEvents

extension Tracker {
    /// Tracks a purchase whose facts the app has from a store or another library. The app sees to it that it counts once.
    ///
    /// - Parameters:
    ///   - facts: what is known of the purchase.
    ///   - properties: what the app adds to the event. The facts replace properties of their names.
    public func track(_ facts: PurchaseFacts, properties: [String: PropertyValue] = [:]) {
        track(facts.draft(adding: properties))
    }
}
