/// One thing that happened in an app: a CloudEvents 1.0 event as this system writes it.
///
/// An `Event` is a plain value; whether it keeps the rules of the contract is told by
/// ``EventRules``, the one place that knows them on the way out and on the way in.
///
/// Copies share their attributes until one of them is changed.
///
/// See the [CloudEvents specification](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md).
public struct Event: Sendable, Hashable {
    // In a box: an event goes from hand to hand, and counting the references of a dozen texts each time took a third as
    // long as encoding them.
    private(set) var box: Box

    // An accessor for each, however alike they are: here each attribute has its name, its type and its meaning for the app.

    /// The CloudEvents `id`. Within an install, ``source`` and `id` name the event: the same pair again is a duplicate.
    public var id: String {
        get { box.attributes.id }
        set { change { $0.id = newValue } }
    }
    /// The CloudEvents `source`: the app, as a URI-reference such as `app://com.example.shop`.
    public var source: String {
        get { box.attributes.source }
        set { change { $0.source = newValue } }
    }
    /// The CloudEvents `type`: `screen_view`, `purchase`, or one of the app's own.
    public var type: String {
        get { box.attributes.type }
        set { change { $0.type = newValue } }
    }
    /// The CloudEvents `time`: when it happened, in UTC, to the millisecond.
    public var time: Timestamp {
        get { box.attributes.time }
        set { change { $0.time = newValue } }
    }
    /// The extension attribute `devicetime`: what the device's own clock showed, where ``time`` is a correction of it.
    public var deviceTime: Timestamp? {
        get { box.attributes.deviceTime }
        set { change { $0.deviceTime = newValue } }
    }
    /// `data.install_id`: the installation that the event belongs to, and the Kafka partition key.
    public var installID: String {
        get { box.attributes.installID }
        set { change { $0.installID = newValue } }
    }
    /// `data.session_id`, where the event belongs to a session. Empty is the same as `nil`.
    public var sessionID: String? {
        get { box.attributes.sessionID }
        set { change { $0.sessionID = newValue } }
    }
    /// `data.user_id`, where the app knows its user. Empty is the same as `nil`.
    public var userID: String? {
        get { box.attributes.userID }
        set { change { $0.userID = newValue } }
    }
    /// `data.sequence`: one more for each event of an install, kept over restarts; from 0 to 2⁵³−1.
    public var sequence: Int64? {
        get { box.attributes.sequence }
        set { change { $0.sequence = newValue } }
    }
    /// `data.screen`: the screen that the event is about.
    public var screen: String? {
        get { box.attributes.screen }
        set { change { $0.screen = newValue } }
    }
    /// `data.previous_screen`: the screen that was current before.
    public var previousScreen: String? {
        get { box.attributes.previousScreen }
        set { change { $0.previousScreen = newValue } }
    }
    /// `data.transition`: how ``screen`` became current, such as `present` or `swipe_dismiss`.
    public var transition: String? {
        get { box.attributes.transition }
        set { change { $0.transition = newValue } }
    }
    /// `data.presentation_id`: names one presentation of a screen, and all that was tracked for it.
    public var presentationID: String? {
        get { box.attributes.presentationID }
        set { change { $0.presentationID = newValue } }
    }
    /// `data.paywall_source`: where the paywall of this presentation was opened from.
    public var paywallSource: String? {
        get { box.attributes.paywallSource }
        set { change { $0.paywallSource = newValue } }
    }
    /// `data.properties`: what the app adds.
    public var properties: [String: PropertyValue] {
        get { box.attributes.properties }
        set { change { $0.properties = newValue } }
    }

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
        box = Box(
            Attributes(
                id: id,
                source: source,
                type: type,
                time: time,
                installID: installID,
                sessionID: sessionID,
                userID: userID,
                sequence: sequence,
                screen: screen,
                previousScreen: previousScreen,
                transition: transition,
                presentationID: presentationID,
                paywallSource: paywallSource,
                properties: properties
            )
        )
    }

    private mutating func change(_ edit: (inout Attributes) -> Void) {
        var attributes = box.attributes
        edit(&attributes)
        box = Box(attributes)
    }
}

extension Event {
    /// What an event consists of, all in one place.
    struct Attributes: Sendable, Hashable {
        var id: String
        var source: String
        var type: String
        var time: Timestamp
        var deviceTime: Timestamp?
        var installID: String
        var sessionID: String?
        var userID: String?
        var sequence: Int64?
        var screen: String?
        var previousScreen: String?
        var transition: String?
        var presentationID: String?
        var paywallSource: String?
        var properties: [String: PropertyValue]
    }

    final class Box: Sendable {
        let attributes: Attributes

        init(_ attributes: Attributes) {
            self.attributes = attributes
        }
    }

    /// Whether both say the same.
    public static func == (lhs: Event, rhs: Event) -> Bool {
        lhs.box.attributes == rhs.box.attributes
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(box.attributes)
    }
}
