public import EventTracking
public import FlowEvents

/// One presentation of a paywall: where it was opened from, fixed when it was presented, and the way to track what
/// belongs to it.
///
/// A value, to be kept by whatever was begun in the presentation. What is tracked for it carries its `presentation_id`
/// and `paywall_source` however late it comes, also after the dismissal, and also when the same screen has been
/// presented again since:
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
    public let id: String
    private let origin: PaywallOrigin

    /// Creates a presentation. A flow that is attributed makes them; a test may make its own.
    ///
    /// - Parameters:
    ///   - id: names the presentation.
    ///   - source: where the paywall was opened from.
    ///   - track: where the events go; called on the thread that tracks.
    public init(id: String, source: Source, track: @escaping @Sendable (EventDraft) -> Void) {
        self.init(id: id, origin: PaywallOrigin(source, track: track))
    }

    /// Creates a presentation whose origin has a source of this type.
    init(id: String, origin: PaywallOrigin) {
        self.id = id
        self.origin = origin
    }

    /// Where the paywall was opened from; its raw value is the `paywall_source`.
    public var source: Source {
        guard let source = origin.source as? Source else {
            // Nobody but this module can get here, and it compares the types before it hands a presentation over.
            preconditionFailure("The presentation \(id) has a source of another type than \(Source.self).")
        }
        return source
    }

    /// Tracks an event for this presentation, from any thread.
    public func track(_ draft: EventDraft) {
        var draft = draft
        draft.presentationID = id
        draft.paywallSource = origin.name
        origin.track(draft)
    }

    /// Tracks an event for this presentation, from any thread.
    ///
    /// - Parameters:
    ///   - type: the event's type, such as `purchase`.
    ///   - properties: what else to say.
    public func track(_ type: String, properties: [String: PropertyValue] = [:]) {
        track(EventDraft(type: type, properties: properties))
    }
}
