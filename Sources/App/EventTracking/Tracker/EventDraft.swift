public import FlowEvents

/// What an app says about one thing that happened; the tracker adds who, when and in which order.
///
/// An event type is the app's own affair: `EventDraft(type: "search")` is as good as a `screen_view`.
public struct EventDraft: Sendable, Hashable {
    /// The CloudEvents `type`: `screen_view`, `purchase`, or one of the app's own.
    public var type: String
    /// `data.screen`: the screen that the event is about.
    public var screen: String?
    /// `data.previous_screen`: the screen that was current before.
    public var previousScreen: String?
    /// `data.transition`: how ``screen`` became current.
    public var transition: String?
    /// `data.presentation_id`: names one presentation of a screen, and all that was tracked for it.
    public var presentationID: String?
    /// `data.paywall_source`: where the paywall of this presentation was opened from.
    public var paywallSource: String?
    /// `data.properties`: what the app adds.
    public var properties: [String: PropertyValue]

    /// Creates a draft. Nothing is checked here: the tracker checks the whole event and reports what it refuses.
    public init(
        type: String,
        screen: String? = nil,
        previousScreen: String? = nil,
        transition: String? = nil,
        presentationID: String? = nil,
        paywallSource: String? = nil,
        properties: [String: PropertyValue] = [:]
    ) {
        self.type = type
        self.screen = screen
        self.previousScreen = previousScreen
        self.transition = transition
        self.presentationID = presentationID
        self.paywallSource = paywallSource
        self.properties = properties
    }
}
