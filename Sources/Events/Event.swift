/// One thing that happened in an app: a CloudEvents 1.0 event as this system writes it.
///
/// An `Event` is a plain value; whether it keeps the rules of the contract is told by
/// ``EventRules``, the one place that knows them on the way out and on the way in.
///
/// See the [CloudEvents specification](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md).
public struct Event: Sendable, Hashable {
    /// The CloudEvents `id`. Within an install, ``source`` and `id` name the event: the same pair again is a duplicate.
    public var id: String
    /// The CloudEvents `source`: the app, as a URI-reference such as `app://com.example.shop`.
    public var source: String
    /// The CloudEvents `type`: `screen_view`, `purchase`, or one of the app's own.
    public var type: String
    /// The CloudEvents `time`: when it happened, in UTC, to the millisecond.
    public var time: Timestamp
    /// The extension attribute `devicetime`: what the device's own clock showed, where ``time`` is a correction of it.
    public var deviceTime: Timestamp?
    /// `data.install_id`: the installation that the event belongs to, and the Kafka partition key.
    public var installID: String
    /// `data.session_id`, where the event belongs to a session. Empty is the same as `nil`.
    public var sessionID: String?
    /// `data.user_id`, where the app knows its user. Empty is the same as `nil`.
    public var userID: String?
    /// `data.sequence`: one more for each event of an install, kept over restarts; from 0 to 2⁵³−1.
    public var sequence: Int64?
    /// `data.screen`: the screen that the event is about.
    public var screen: String?
    /// `data.previous_screen`: the screen that was current before.
    public var previousScreen: String?
    /// `data.transition`: how ``screen`` became current, such as `present` or `swipe_dismiss`.
    public var transition: String?
    /// `data.presentation_id`: names one presentation of a screen, and all that was tracked for it.
    public var presentationID: String?
    /// `data.paywall_source`: where the paywall of this presentation was opened from.
    public var paywallSource: String?
    /// `data.properties`: what the app adds.
    public var properties: [String: PropertyValue]

    /// Creates an event from its attributes. Nothing is checked here; see ``EventRules``.
    public init(
        id: String,
        source: String,
        type: String,
        time: Timestamp,
        installID: String,
        sessionID: String? = nil,
        userID: String? = nil,
        sequence: Int64? = nil,
        screen: String? = nil,
        previousScreen: String? = nil,
        transition: String? = nil,
        presentationID: String? = nil,
        paywallSource: String? = nil,
        properties: [String: PropertyValue] = [:]
    ) {
        self.id = id
        self.source = source
        self.type = type
        self.time = time
        self.installID = installID
        self.sessionID = sessionID
        self.userID = userID
        self.sequence = sequence
        self.screen = screen
        self.previousScreen = previousScreen
        self.transition = transition
        self.presentationID = presentationID
        self.paywallSource = paywallSource
        self.properties = properties
    }
}
