/// An event as ``EventRules`` looks at it, whoever read or made it: the types of its fields, and the values of the few
/// whose values matter.
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
    /// What `time` says, where it is RFC 3339.
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
    /// What `data.sequence` says, where it is a number.
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

    /// The shape of an event without any field.
    package init() {}

    /// The shape of what `event` is written as.
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
