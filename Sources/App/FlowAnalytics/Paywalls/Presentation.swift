public import EventTracking
public import FlowEvents

/// One presentation of a paywall: its source, and a way to track events that belong to it.
///
/// Keep the value with what the user has begun in the presentation. An event that is tracked for it has its
/// `presentation_id` and `paywall_source`, also after the dismissal, and also if the same screen has been presented again
/// since:
///
/// ```swift
/// func buyTapped() {
///     let presentation = presentation
///     Task {
///         try await store.buy(plan)
///         presentation?.track("purchase", properties: ["plan": "year"])
///     }
/// }
/// ```
public struct Presentation<Source: RawRepresentable<String> & Sendable>: Sendable {
    /// The `presentation_id`: a UUIDv7, another one for each presentation.
    public var id: String { tag.id }
    let tag: PresentationTag

    /// Creates a presentation, for tests. In an app, an attributed flow makes them.
    ///
    /// - Parameters:
    ///   - id: the `presentation_id`.
    ///   - source: where the paywall was opened from.
    ///   - purchases: the `Tracker.purchases` that count what is bought; by default what is remembered ends with the run.
    ///   - track: receives the events, on the thread that tracks them.
    public init(
        id: String,
        source: Source,
        purchases: PurchaseJournal? = nil,
        track: @escaping @Sendable (EventDraft) -> Void
    ) {
        let origin = PaywallOrigin(source, purchases: purchases ?? .ofThisRun(), track: track)
        tag = PresentationTag(id: id, origin: origin)
    }

    /// Creates a presentation whose origin has a source of this type.
    init(tag: consuming PresentationTag) {
        self.tag = tag
    }

    /// Where the paywall was opened from; its raw value is the `paywall_source`.
    public var source: Source {
        guard let source = tag.origin.source as? Source else {
            // Only this module makes the value, and it compares the types first.
            preconditionFailure("The presentation \(id) has a source of another type than \(Source.self).")
        }
        return source
    }

    /// Tracks an event for this presentation, from any thread.
    public func track(_ draft: EventDraft) {
        var draft = draft
        draft.presentationID = id
        draft.paywallSource = tag.origin.name
        tag.origin.track(draft)
    }

    /// Tracks an event for this presentation, from any thread.
    ///
    /// - Parameters:
    ///   - type: the event's type, such as `purchase`.
    ///   - properties: the event's properties.
    public func track(_ type: String, properties: [String: PropertyValue] = [:]) {
        track(EventDraft(type: type, properties: properties))
    }
}
