public import FlowEvents

/// What a store's server says about one transaction, as an event of the install that has made it.
///
/// ```swift
/// let json = event.encoded()
/// ```
public struct StoreEvent: Sendable, Hashable {
    /// What has happened. The raw values are the events' types.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A first transaction, trials included.
        case purchase = "store_purchase"
        /// A further transaction of a subscription.
        case renewal = "store_renewal"
        /// The store has given money back.
        case refund = "store_refund"
        /// A subscription has ended.
        case expiration = "store_expiration"
    }

    /// The CloudEvents `id`, made of the notification or of its transaction: a repeat has the same.
    public var id: String
    /// The CloudEvents `source`: the app.
    public var source: String
    /// What has happened.
    public var kind: Kind
    /// When it has happened, by the store's clock, and never after the store has said it.
    public var time: Timestamp
    /// The install; `nil` if the app has not named it to the store.
    public var installID: String?
    /// `presentation_id` of the paywall, where the sender knows it.
    public var presentationID: String?
    /// `paywall_source` of the paywall, where the sender knows it.
    public var paywallSource: String?
    /// The amount: what was paid, or what was given back; `nil` if the store does not say it.
    public var price: ExactPrice?
    /// All other properties.
    public var properties: [String: PropertyValue] = [:]

    /// Creates an event without properties.
    public init(id: String, source: String, kind: Kind, time: Timestamp, installID: String?) {
        self.id = id
        self.source = source
        self.kind = kind
        self.time = time
        self.installID = installID
    }

    /// The first rule that the event breaks; `nil` if it is valid.
    ///
    /// - Parameter recordTimestamp: when the event is published.
    func violation(recordTimestamp: Timestamp) -> EventViolation? {
        guard let installID, !installID.isEmpty else {
            return EventViolation(reason: .missingField, detail: "data.install_id: \(Self.missingInstall)")
        }
        let event = Event(
            id: id,
            source: source,
            type: kind.rawValue,
            time: time,
            installID: installID,
            presentationID: presentationID,
            paywallSource: paywallSource
        )
        return EventRules.violation(in: event, recordTimestamp: recordTimestamp)
    }

    private static let missingInstall =
        "the store does not know the install: the app sets it as appAccountToken, or as the attribute install_id"
}
