/// The JSON fields of a record's value that the event format names, before any rule is checked.
///
/// If an object has two members of one name, the last one is used.
package struct RawEvent {
    private var isCloudEvents = false
    /// `id`.
    package private(set) var id = JSONValue.absent
    /// `source`.
    package private(set) var source = JSONValue.absent
    /// `type`.
    package private(set) var type = JSONValue.absent
    /// `data.install_id`.
    package private(set) var installID = JSONValue.absent
    /// `data.session_id`.
    package private(set) var sessionID = JSONValue.absent
    /// `data.user_id`.
    package private(set) var userID = JSONValue.absent
    /// `data.sequence`.
    package private(set) var sequence = JSONValue.absent
    /// `data.screen`.
    package private(set) var screen = JSONValue.absent
    /// `data.previous_screen`.
    package private(set) var previousScreen = JSONValue.absent
    /// `data.transition`.
    package private(set) var transition = JSONValue.absent
    /// `data.presentation_id`.
    package private(set) var presentationID = JSONValue.absent
    /// `data.paywall_source`.
    package private(set) var paywallSource = JSONValue.absent
    /// All members of `data`; empty if it is not an object.
    package private(set) var dataMembers: [JSONMember] = []
    /// All members of `data.properties`; empty if it is not an object.
    package private(set) var propertyMembers: [JSONMember] = []
    /// `devicetime`, which no rule checks.
    package private(set) var deviceTime = JSONValue.absent
    /// The attribute `data_base64`, which an event has in place of `data` where that is not JSON to its producer.
    package private(set) var dataBase64 = JSONValue.absent
    private var time = JSONValue.absent
    private var data = JSONValue.absent
    private var properties = JSONValue.absent

    /// Parses `value`.
    ///
    /// - Parameters:
    ///   - value: the value of one record.
    ///   - scratch: holds the unescaped strings. Do not use it for another text while the fields of this one are used.
    /// - Throws: a violation if `value` is too large or not JSON.
    package init(reading value: UnsafeRawBufferPointer, _ scratch: JSONScratch) throws(EventViolation) {
        if let violation = EventRules.violation(inSize: value.count) { throw violation }
        do {
            try read(value, scratch)
        } catch {
            let detail = value.isEmpty ? "the value is empty" : "byte \(error.offset): expected \(error.expected)"
            throw EventViolation(reason: .notJSON, detail: detail)
        }
    }

    /// The parts that the rules check.
    package var shape: EventShape {
        var shape = EventShape()
        shape.isCloudEvents = isCloudEvents
        shape.id = id.shape
        shape.source = source.shape
        shape.type = type.shape
        shape.time = time.shape
        shape.timestamp = time.string.flatMap(Timestamp.init(rfc3339:))
        shape.data = data.shape
        shape.installID = installID.shape
        shape.sessionID = sessionID.shape
        shape.userID = userID.shape
        shape.sequence = sequence.shape
        shape.sequenceNumber = sequence.number?.double ?? 0
        shape.screen = screen.shape
        shape.previousScreen = previousScreen.shape
        shape.transition = transition.shape
        shape.presentationID = presentationID.shape
        shape.paywallSource = paywallSource.shape
        shape.properties = properties.shape
        return shape
    }

    private mutating func read(_ text: UnsafeRawBufferPointer, _ scratch: JSONScratch) throws(JSONSyntaxError) {
        scratch.reset(forTextOf: text.count)
        var cursor = JSONCursor(text)
        cursor.skipWhitespace()
        guard cursor.next == UInt8(ascii: "{") else {
            try cursor.skipValue()
            return try cursor.skipEnd()
        }
        let members = try cursor.readMembers(scratch)
        try cursor.skipEnd()
        for member in members { setAttribute(member) }
        if case .object(let object) = data {
            cursor = JSONCursor(object)
            dataMembers = try cursor.readMembers(scratch)
            for member in dataMembers { setDataField(member) }
        }
        if case .object(let object) = properties {
            cursor = JSONCursor(object)
            propertyMembers = try cursor.readMembers(scratch)
        }
    }

    private mutating func setAttribute(_ member: JSONMember) {
        guard let name = member.name else { return }
        if name.equals("specversion") {
            isCloudEvents = member.value.string?.equals("1.0") ?? false
        } else if name.equals("id") {
            id = member.value
        } else if name.equals("source") {
            source = member.value
        } else if name.equals("type") {
            type = member.value
        } else if name.equals("time") {
            time = member.value
        } else if name.equals("devicetime") {
            deviceTime = member.value
        } else if name.equals("data") {
            data = member.value
        } else if name.equals("data_base64") {
            dataBase64 = member.value
        }
    }

    private mutating func setDataField(_ member: JSONMember) {
        guard let name = member.name else { return }
        if name.equals("install_id") {
            installID = member.value
        } else if name.equals("session_id") {
            sessionID = member.value
        } else if name.equals("user_id") {
            userID = member.value
        } else if name.equals("sequence") {
            sequence = member.value
        } else if name.equals("screen") {
            screen = member.value
        } else if name.equals("previous_screen") {
            previousScreen = member.value
        } else if name.equals("transition") {
            transition = member.value
        } else if name.equals("presentation_id") {
            presentationID = member.value
        } else if name.equals("paywall_source") {
            paywallSource = member.value
        } else if name.equals("properties") {
            properties = member.value
        }
    }
}
