/// The rules for an event. Writers check an ``Event`` before they encode it; readers check what they decode.
///
/// If an event breaks several rules, the first one is reported, in this order: size, JSON, `specversion`, the fields in
/// the order of ``Event``'s properties, and last the time against the record's timestamp. A writer checks first that the
/// numbers are finite, because JSON has no others.
///
/// ```swift
/// if let violation = EventRules.violation(in: event) { print(violation) }
/// ```
public enum EventRules {
    /// The maximum size of a record's value in bytes: 1 MiB.
    public static let maximumSize = 1_048_576

    // Computed, because other modules can inline no stored property.
    /// The maximum size in bytes of UTF-8 of each text with a rule: the attributes, and the named fields of `data`.
    ///
    /// Other strings of `data` and `data.properties` may be longer. Funnels then ignore them, as if they were absent.
    @inlinable public static var maximumTextSize: Int { 1024 }

    /// How far an event's time may be ahead of its record's timestamp, in milliseconds: at most 24 hours.
    public static let maximumLead: Int64 = 86_400_000

    /// The valid values of `data.sequence`: the integers that every JSON reader keeps exactly.
    public static let sequences: ClosedRange<Int64> = 0...9_007_199_254_740_991

    /// Returns the first rule that `event` breaks; `nil` if it is valid.
    ///
    /// This does not check the size of the JSON; ``Event/encode(into:)`` does.
    ///
    /// - Parameters:
    ///   - event: the event to check.
    ///   - recordTimestamp: when the event is published; `nil` skips the rule about times in the future.
    public static func violation(in event: Event, recordTimestamp: Timestamp? = nil) -> EventViolation? {
        let infinite = event.properties.lazy.filter { _, value in
            value.exactNumber.map { !$0.isFinite } ?? false
        }
        // The first by name, because a dictionary has another order in each run.
        if let name = infinite.map(\.key).min() {
            return invalid("data.properties.\(name)", "a finite number, the only ones JSON has", "another number")
        }
        return violation(in: EventShape(of: event), recordTimestamp: recordTimestamp)
    }

    /// Checks the rule for the size of a value, which is the first rule.
    package static func violation(inSize size: Int) -> EventViolation? {
        guard size > maximumSize else { return nil }
        return EventViolation(reason: .tooLarge, detail: "\(size) bytes: at most \(maximumSize) are allowed")
    }

    /// Returns the first rule that an event of this shape breaks.
    package static func violation(in event: EventShape, recordTimestamp: Timestamp?) -> EventViolation? {
        guard event.isCloudEvents else {
            return EventViolation(
                reason: .notCloudEvents,
                detail: #"specversion: expected a JSON object with "specversion":"1.0", one event in each record"#
            )
        }
        do {
            try checkFields(of: event)
            try checkLead(of: event.timestamp, over: recordTimestamp)
            return nil
        } catch {
            return error
        }
    }

    private static func checkFields(of event: EventShape) throws(EventViolation) {
        try required("id", event.id)
        try required("source", event.source)
        try required("type", event.type)
        try checkTime(of: event)
        guard event.data != .absent else { throw missing("data") }
        try object("data", event.data)
        try required("data.install_id", event.installID)
        try optional("data.session_id", event.sessionID)
        try optional("data.user_id", event.userID)
        try checkSequence(of: event)
        try optional("data.screen", event.screen)
        try optional("data.previous_screen", event.previousScreen)
        try optional("data.transition", event.transition)
        try optional("data.presentation_id", event.presentationID)
        try optional("data.paywall_source", event.paywallSource)
        try object("data.properties", event.properties)
    }

    // Every valid event passes all of these checks, so they are inlined. What describes a violation is not.
    @inline(__always)
    private static func required(_ field: StaticString, _ shape: FieldShape) throws(EventViolation) {
        if shape != .string { throw violation(ofRequired: field, shape) }
    }

    @inline(__always)
    private static func optional(_ field: StaticString, _ shape: FieldShape) throws(EventViolation) {
        if shape != .string, shape != .absent, shape != .emptyString { throw violation(ofOptional: field, shape) }
    }

    @inline(__always)
    private static func object(_ field: StaticString, _ shape: FieldShape) throws(EventViolation) {
        if shape != .object, shape != .absent { throw invalid("\(field)", "an object", shape.found) }
    }

    @inline(never)
    private static func violation(ofRequired field: StaticString, _ shape: FieldShape) -> EventViolation {
        switch shape {
        case .absent: missing(field)
        case .longString: tooLong(field)
        default: invalid("\(field)", "a string that is not empty", shape.found)
        }
    }

    @inline(never)
    private static func violation(ofOptional field: StaticString, _ shape: FieldShape) -> EventViolation {
        shape == .longString ? tooLong(field) : invalid("\(field)", "a string", shape.found)
    }

    private static func checkTime(of event: EventShape) throws(EventViolation) {
        switch event.time {
        case .absent: throw missing("time")
        case .string where event.timestamp != nil: return
        case .longString: throw tooLong("time")
        case .string: throw invalid("time", "RFC 3339, such as 2026-11-20T10:15:30.123Z", "another text or year")
        default: throw invalid("time", "a string in RFC 3339", event.time.found)
        }
    }

    private static func checkSequence(of event: EventShape) throws(EventViolation) {
        switch event.sequence {
        case .absent: return
        case .number where event.sequenceNumber.integer.map(sequences.contains) ?? false: return
        case let shape:
            let found = shape == .number ? "another number" : shape.found
            throw invalid("data.sequence", "a whole number from 0 to \(sequences.upperBound)", found)
        }
    }

    private static func checkLead(of time: Timestamp?, over record: Timestamp?) throws(EventViolation) {
        guard let time, let record else { return }
        let (limit, overflow) = record.milliseconds.addingReportingOverflow(maximumLead)
        guard !overflow, time.milliseconds > limit else { return }
        throw EventViolation(
            reason: .futureTime,
            detail: "time: more than 24 h in the future"
        )
    }

    private static func missing(_ field: StaticString) -> EventViolation {
        EventViolation(reason: .missingField, detail: "\(field): required, but absent or null")
    }

    private static func tooLong(_ field: StaticString) -> EventViolation {
        invalid("\(field)", "at most \(maximumTextSize) bytes", FieldShape.longString.found)
    }

    private static func invalid(_ field: String, _ expected: String, _ found: String) -> EventViolation {
        EventViolation(reason: .invalidField, detail: "\(field): expected \(expected), found \(found)")
    }
}
