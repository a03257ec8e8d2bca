/// The parts of an event that ``EventRules`` checks: the JSON type of each field, and the values of the few fields whose
/// values matter. Every reader and writer of events can produce it.
package struct EventShape {
    /// Whether `specversion` is the string `"1.0"`.
    package var isCloudEvents = false
    /// The shape of `id`.
    package var id = FieldShape.absent
    /// The shape of `source`.
    package var source = FieldShape.absent
    /// The shape of `type`.
    package var type = FieldShape.absent
    /// The shape of `time`.
    package var time = FieldShape.absent
    /// The value of `time`; `nil` if it is not RFC 3339.
    package var timestamp: Timestamp?
    /// The shape of `data`.
    package var data = FieldShape.absent
    /// The shape of `data.install_id`.
    package var installID = FieldShape.absent
    /// The shape of `data.session_id`.
    package var sessionID = FieldShape.absent
    /// The shape of `data.user_id`.
    package var userID = FieldShape.absent
    /// The shape of `data.sequence`.
    package var sequence = FieldShape.absent
    /// The value of `data.sequence`; 0 if it is not a number.
    package var sequenceNumber = 0.0
    /// The shape of `data.screen`.
    package var screen = FieldShape.absent
    /// The shape of `data.previous_screen`.
    package var previousScreen = FieldShape.absent
    /// The shape of `data.transition`.
    package var transition = FieldShape.absent
    /// The shape of `data.presentation_id`.
    package var presentationID = FieldShape.absent
    /// The shape of `data.paywall_source`.
    package var paywallSource = FieldShape.absent
    /// The shape of `data.properties`.
    package var properties = FieldShape.absent

    /// Creates the shape of an event without fields.
    package init() {}

    /// Creates the shape of the JSON of `event`.
    init(of event: Event) {
        isCloudEvents = true
        id = FieldShape(event.id)
        source = FieldShape(event.source)
        type = FieldShape(event.type)
        time = .string
        timestamp = Timestamp.writable.contains(event.time) ? event.time : nil
        data = .object
        installID = FieldShape(event.installID)
        sessionID = FieldShape(event.sessionID)
        userID = FieldShape(event.userID)
        sequence = event.sequence == nil ? .absent : .number
        sequenceNumber = event.sequence.map(Double.init) ?? 0
        screen = FieldShape(event.screen)
        previousScreen = FieldShape(event.previousScreen)
        transition = FieldShape(event.transition)
        presentationID = FieldShape(event.presentationID)
        paywallSource = FieldShape(event.paywallSource)
        properties = .object
    }
}
