public import FlowEvents

/// The part of an event that the app provides. The tracker adds ids, time, session and sequence number.
///
/// ```swift
/// tracker.track(EventDraft(type: "search", properties: ["results": 12]))
/// ```
///
/// The app may use any event type. Each text has at most 1,024 bytes of UTF-8, except the properties: the tracker drops
/// and counts an event with a longer one.
public struct EventDraft: Sendable, Hashable {
    /// `data.properties`: values that the app adds. Funnels ignore a string of more than 1,024 bytes.
    public var properties: [String: PropertyValue]
    /// The CloudEvents `type`: `screen_view`, `purchase`, or a type that the app defines.
    public var type: String
    /// `data.screen`: the screen that the event is about.
    public var screen: String?
    /// `data.previous_screen`: the screen that was current before ``screen``.
    public var previousScreen: String?
    /// `data.transition`: how ``screen`` became current.
    public var transition: String?
    /// `data.presentation_id`: identifies one presentation of a screen. All events of the presentation have the same id.
    public var presentationID: String?
    /// `data.paywall_source`: the screen or control that opened the paywall.
    public var paywallSource: String?
}

// In an extension, and by way of the initializer that the compiler makes of the properties in their order: one that assigns
// them copies the whole draft once more.
extension EventDraft {
    /// Creates a draft, without checking it. The tracker checks the complete event, and reports an invalid one.
    public init(
        type: String,
        screen: String? = nil,
        previousScreen: String? = nil,
        transition: String? = nil,
        presentationID: String? = nil,
        paywallSource: String? = nil,
        properties: [String: PropertyValue] = [:]
    ) {
        self.init(
            properties: properties,
            type: type,
            screen: screen,
            previousScreen: previousScreen,
            transition: transition,
            presentationID: presentationID,
            paywallSource: paywallSource
        )
    }
}
