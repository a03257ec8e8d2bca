/// One thing that happened in an app: a CloudEvents 1.0 event.
///
/// ```swift
/// let event = Event(
///     id: "0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d5e",
///     source: "app://com.example.shop",
///     type: "screen_view",
///     time: Timestamp(milliseconds: 1_795_170_930_123),
///     installID: "0193479e-8f8d-7f11-8c2b-64d1c0a9e2b7",
///     screen: "home"
/// )
/// let json = try event.encoded()
/// ```
///
/// Apps rarely create events: a tracker makes them from drafts. An `Event` can hold any values. ``EventRules`` says
/// whether it is valid; encoding and decoding check the rules.
///
/// Copies share their storage until one of them changes.
///
/// See the [CloudEvents specification](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md).
public struct Event: Sendable, Hashable {
    // In a box: to pass on an event without it, retaining a dozen strings each time took a third of the time of encoding.
    private(set) var box: Box

    /// The CloudEvents `id`. Within an install, ``source`` and `id` identify the event: another event with the same pair is
    /// a duplicate.
    public var id: String {
        get { box.attributes.id }
        set { change { $0.id = newValue } }
    }
    /// The CloudEvents `source`: the app, as a URI-reference such as `app://com.example.shop`.
    public var source: String {
        get { box.attributes.source }
        set { change { $0.source = newValue } }
    }
    /// The CloudEvents `type`: `screen_view`, `purchase`, or a type that the app defines.
    public var type: String {
        get { box.attributes.type }
        set { change { $0.type = newValue } }
    }
    /// The CloudEvents `time`: when the event happened, in UTC, with milliseconds.
    public var time: Timestamp {
        get { box.attributes.time }
        set { change { $0.time = newValue } }
    }
    /// The extension attribute `devicetime`: the reading of the device's clock, if ``time`` was corrected.
    public var deviceTime: Timestamp? {
        get { box.attributes.deviceTime }
        set { change { $0.deviceTime = newValue } }
    }
    /// `data.install_id`: the installation that the event belongs to, and the Kafka partition key.
    public var installID: String {
        get { box.attributes.installID }
        set { change { $0.installID = newValue } }
    }
    /// `data.session_id`; `nil` if the event belongs to no session. An empty id equals `nil`.
    public var sessionID: String? {
        get { box.attributes.sessionID }
        set { change { $0.sessionID = newValue } }
    }
    /// `data.user_id`; `nil` if the user is unknown. An empty id equals `nil`.
    public var userID: String? {
        get { box.attributes.userID }
        set { change { $0.userID = newValue } }
    }
    /// `data.sequence`: numbers the events of an install, also across restarts; from 0 to 2⁵³−1.
    public var sequence: Int64? {
        get { box.attributes.sequence }
        set { change { $0.sequence = newValue } }
    }
    /// `data.screen`: the screen that the event is about.
    public var screen: String? {
        get { box.attributes.screen }
        set { change { $0.screen = newValue } }
    }
    /// `data.previous_screen`: the screen that was current before ``screen``.
    public var previousScreen: String? {
        get { box.attributes.previousScreen }
        set { change { $0.previousScreen = newValue } }
    }
    /// `data.transition`: how ``screen`` became current, such as `present` or `swipe_dismiss`.
    public var transition: String? {
        get { box.attributes.transition }
        set { change { $0.transition = newValue } }
    }
    /// `data.presentation_id`: identifies one presentation of a screen. All events of the presentation have the same id.
    public var presentationID: String? {
        get { box.attributes.presentationID }
        set { change { $0.presentationID = newValue } }
    }
    /// `data.paywall_source`: the screen or control that opened the paywall.
    public var paywallSource: String? {
        get { box.attributes.paywallSource }
        set { change { $0.paywallSource = newValue } }
    }
    /// `data.properties`: values that the app adds.
    public var properties: [String: PropertyValue] {
        get { box.attributes.properties }
        set { change { $0.properties = newValue } }
    }

    /// Creates an event from its attributes, without checking them; see ``EventRules``.
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
    /// The attributes of an event.
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

    /// Whether all attributes are equal.
    public static func == (lhs: Event, rhs: Event) -> Bool {
        lhs.box.attributes == rhs.box.attributes
    }

    /// Hashes all attributes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(box.attributes)
    }
}
