import FlowEvents

/// Reads the fields that the rules and the funnels need from the bytes of a record.
///
/// simdjson parses the document. The reader creates no strings, and allocates nothing per event once its buffers have
/// grown to the size of the largest value. `EventRules` checks the fields. Where simdjson refuses a document, the
/// parser of `FlowEvents` reads it again and decides whether it is JSON, because simdjson has limits that RFC 8259
/// does not have.
///
/// A reader belongs to one thread at a time.
///
/// ```swift
/// let reader = EventReader(fields: [.data("screen"), .property("platform")])
/// let reading = reader.read(value, recordTimestamp: timestamp) { event in
///     engine.insert(event)
/// }
/// ```
package final class EventReader {
    /// The fields whose values the reader supplies, in this order.
    package let fields: [Field]
    private let simdjson: SimdjsonReader
    let scratch = JSONScratch()
    // The values of the current event. An unsafe buffer avoids the retains and checks of an array for each event;
    // deinit deallocates it.
    private let values: UnsafeMutableBufferPointer<FieldValue>

    /// Creates a reader.
    ///
    /// - Parameter fields: the fields that the funnels need. `EventFields.values` has their values in this order.
    package init(fields: [Field]) {
        self.fields = fields
        simdjson = SimdjsonReader(fields: fields)
        values = .allocate(capacity: fields.count)
        values.initialize(repeating: .absent)
    }

    deinit {
        values.deallocate()
    }

    /// Reads and checks the value of a record, and calls `body` with the event if it is valid.
    ///
    /// - Parameters:
    ///   - value: the value of the record; empty where the record has none.
    ///   - recordTimestamp: the timestamp of the record, if it has one. An event more than 24 hours later is not valid.
    ///   - body: is called with a valid event, whose views are valid during the call. It must not use this reader.
    /// - Returns: the result of `body`, or the first rule that the value breaks.
    /// - Throws: the errors of `body`.
    package func read<R>(
        _ value: UnsafeRawBufferPointer,
        recordTimestamp: Timestamp?,
        _ body: (borrowing EventFields) throws -> R
    ) rethrows -> EventReading<R> {
        var event = EventFields.empty
        if let violation = load(value, recordTimestamp: recordTimestamp, into: &event) { return .deadLetter(violation) }
        return .valid(try body(event))
    }

    /// Does what ``read(_:recordTimestamp:_:)`` does, without a result of `body`.
    ///
    /// It is not generic, because at run time a generic result costs a search for its type with each record.
    ///
    /// - Returns: the first rule that the value breaks; `nil` where it is valid.
    package func violation(
        in value: UnsafeRawBufferPointer,
        recordTimestamp: Timestamp?,
        ifValid body: (borrowing EventFields) -> Void
    ) -> EventViolation? {
        var event = EventFields.empty
        if let violation = load(value, recordTimestamp: recordTimestamp, into: &event) { return violation }
        body(event)
        return nil
    }

    /// Reads and checks one value. The views of the event are valid until the next one is read.
    private func load(
        _ value: UnsafeRawBufferPointer,
        recordTimestamp: Timestamp?,
        into event: inout EventFields
    ) -> EventViolation? {
        if let violation = EventRules.violation(inSize: value.count) { return violation }
        guard simdjson.read(value) else { return loadSlowly(value, recordTimestamp: recordTimestamp, into: &event) }
        let shape = simdjson.shape
        if let violation = EventRules.violation(in: shape, recordTimestamp: recordTimestamp) { return violation }
        for index in fields.indices {
            values[index] = simdjson.value(index)
        }
        event = simdjson.fields(shape, values: UnsafeBufferPointer(values))
        return nil
    }

    /// Reads a value that simdjson has refused.
    func loadSlowly(
        _ value: UnsafeRawBufferPointer,
        recordTimestamp: Timestamp?,
        into event: inout EventFields
    ) -> EventViolation? {
        do {
            let raw = try RawEvent(reading: value, scratch)
            let shape = raw.shape
            if let violation = EventRules.violation(in: shape, recordTimestamp: recordTimestamp) { return violation }
            for (index, field) in fields.enumerated() {
                values[index] = raw.value(of: field)
            }
            event = raw.fields(shape, values: UnsafeBufferPointer(values))
            return nil
        } catch {
            return error
        }
    }
}

/// The result of reading the value of a record.
package enum EventReading<Success> {
    /// The value is a valid event, for which the caller's closure has returned this result.
    case valid(Success)
    /// The value breaks a rule, and the record belongs in the dead-letter topic.
    case deadLetter(EventViolation)
}

extension EventReading: Sendable where Success: Sendable {}
