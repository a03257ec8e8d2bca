public import Analytics
public import Events

/// What the app has from outside.
public struct AppServices: Sendable {
    /// Where its events go.
    public var tracker: Tracker
    /// Where it buys.
    public var shop: PurchaseService
    /// Makes the ids of the paywall's presentations.
    public var presentationIDs: IDGenerator
    /// The time.
    public var now: @Sendable () -> Timestamp

    /// Collects what the app has from outside.
    public init(
        tracker: Tracker,
        shop: PurchaseService,
        presentationIDs: IDGenerator = .uuidV7(),
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.tracker = tracker
        self.shop = shop
        self.presentationIDs = presentationIDs
        self.now = now
    }
}
