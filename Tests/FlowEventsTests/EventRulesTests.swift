import Testing
@testable import FlowEvents
@Suite struct EventRulesTests {
    @Test func `what an app makes of itself is valid`() {
        #expect(EventRules.violation(in: EventEncodingTests.minimal) == nil)
    }
    @Test(
        arguments: [
            ("id", \Event.id), ("source", \.source), ("type", \.type), ("data.install_id", \.installID),
        ] as [(String, any WritableKeyPath<Event, String> & Sendable)]
    )
    func `an event is not sent with an empty required field`(
        name: String,
        path: any WritableKeyPath<Event, String> & Sendable
    ) {
        var event = EventEncodingTests.minimal
        event[keyPath: path] = ""
        let violation = EventRules.violation(in: event)
        #expect(violation?.reason == .invalidField)
        #expect(violation?.detail.hasPrefix("\(name): ") == true)
    }
    @Test(
        arguments: [
            ("id", \Event.id), ("source", \.source), ("type", \.type), ("data.install_id", \.installID),
        ] as [(String, any WritableKeyPath<Event, String> & Sendable)]
    )
    func `a required field has at most 1024 bytes`(name: String, path: any WritableKeyPath<Event, String> & Sendable) {
        var event = EventEncodingTests.minimal
        event[keyPath: path] = Self.longest
        #expect(EventRules.violation(in: event) == nil)
        event[keyPath: path] += "x"
        let violation = EventRules.violation(in: event)
        #expect(violation?.reason == .invalidField)
        #expect(violation?.detail == "\(name): expected at most 1024 bytes, found a longer string")
    }
    @Test(
        arguments: [
            ("session_id", \Event.sessionID), ("user_id", \.userID), ("screen", \.screen),
            ("previous_screen", \.previousScreen), ("transition", \.transition),
            ("presentation_id", \.presentationID), ("paywall_source", \.paywallSource),
        ] as [(String, any WritableKeyPath<Event, String?> & Sendable)]
    )
    func `an optional field has at most 1024 bytes`(name: String, path: any WritableKeyPath<Event, String?> & Sendable)
    {
        var event = EventEncodingTests.minimal
        event[keyPath: path] = Self.longest
        #expect(EventRules.violation(in: event) == nil)
        event[keyPath: path] = Self.longest + "x"
        let violation = EventRules.violation(in: event)
        #expect(violation?.reason == .invalidField)
        #expect(violation?.detail == "data.\(name): expected at most 1024 bytes, found a longer string")
    }
    @Test func `a property may be longer, because funnels ignore it`() {
        var event = EventEncodingTests.minimal
        event.properties[Self.longest + "x"] = .string(Self.longest + "x")
        #expect(EventRules.violation(in: event) == nil)
    }
    // Bytes are counted, not characters.
    private static let longest = String(repeating: "é", count: 512)
    @Test(
        arguments: [
            (0, true), (9_007_199_254_740_991, true), (-1, false), (9_007_199_254_740_992, false),
            (9_007_199_254_740_993, false), (.max, false), (.min, false),
        ] as [(Int64, Bool)]
    )
    func `an event is sent with a sequence that every JSON reader keeps`(sequence: Int64, isValid: Bool) {
        var event = EventEncodingTests.minimal
        event.sequence = sequence
        #expect((EventRules.violation(in: event) == nil) == isValid)
    }
    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that JSON does not have is refused before it is written`(number: Double) {
        var event = EventEncodingTests.minimal
        event.properties["price"] = .number(number)
        let violation = EventRules.violation(in: event)
        #expect(violation?.reason == .invalidField)
        #expect(violation?.detail.contains("data.properties.price") == true)
    }
    @Test(arguments: [Timestamp.writable.lowerBound.milliseconds - 1, Timestamp.writable.upperBound.milliseconds + 1])
    func `a time that RFC 3339 cannot write is refused`(milliseconds: Int64) {
        var event = EventEncodingTests.minimal
        event.time = Timestamp(milliseconds: milliseconds)
        #expect(EventRules.violation(in: event)?.reason == .invalidField)
    }
    @Test func `24 hours ahead of the record are allowed, and no millisecond more`() {
        let event = EventEncodingTests.minimal
        let bound = Timestamp(milliseconds: event.time.milliseconds - 86_400_000)
        #expect(EventRules.violation(in: event, recordTimestamp: bound) == nil)
        let before = Timestamp(milliseconds: bound.milliseconds - 1)
        #expect(EventRules.violation(in: event, recordTimestamp: before)?.reason == .futureTime)
        #expect(EventRules.violation(in: event, recordTimestamp: Timestamp(milliseconds: .max)) == nil)
        #expect(EventRules.violation(in: event, recordTimestamp: Timestamp(milliseconds: .min)) != nil)
    }
}
