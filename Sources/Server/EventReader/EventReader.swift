public import FlowEvents

/// The fast way in for servers: from a record's bytes to the fields that the rules and the funnels need.
///
/// simdjson checks the whole document and finds the fields; no string is made and, once the buffers have grown to the
/// largest value seen, nothing is allocated for an event. The rules are those of `EventRules`. What simdjson refuses is
/// read once more by the reader of `FlowEvents`, which alone decides what is JSON: simdjson has limits that RFC 8259 has
/// not.
///
/// A reader belongs to one thread at a time.
///
/// ```swift
/// let reader = EventReader(fields: [.data("screen"), .property("platform")])
/// let reading = reader.read(value, recordTimestamp: timestamp) { event in
///     engine.insert(event)
/// }
/// ```
public final class EventReader {
    /// The fields whose values are handed over, in this order.
    public let fields: [Field]
    private let simdjson: SimdjsonReader
    private let scratch = JSONScratch()
    // Where the values of the current event stand; deallocated by deinit, so that they need no array's bookkeeping.
    private let values: UnsafeMutableBufferPointer<FieldValue>
    /// The event read last; its views are valid only until the next one.
    @usableFromInline var current = EventFields.empty

    /// Creates a reader.
    ///
    /// - Parameter fields: the fields that funnels ask for; `EventFields.values` has their values in this order.
    public init(fields: [Field]) {
        self.fields = fields
        simdjson = SimdjsonReader(fields: fields)
        values = .allocate(capacity: fields.count)
        values.initialize(repeating: .absent)
    }

    deinit {
        values.deallocate()
    }

    /// Reads and checks one value, and calls `body` with the event where it is valid.
    ///
    /// The views that `body` is given end with it.
    ///
    /// - Parameters:
    ///   - value: the record's value; empty where it has none.
    ///   - recordTimestamp: the record's timestamp, where there is one: an event that is more than 24 hours ahead of it
    ///     is not valid.
    ///   - body: what to do with a valid event. It must not use this reader.
    /// - Returns: what `body` returns, or the first rule that the value breaks.
    /// - Throws: only what `body` throws.
    @inlinable
    public func read<R>(
        _ value: UnsafeRawBufferPointer,
        recordTimestamp: Timestamp?,
        _ body: (borrowing EventFields) throws -> R
    ) rethrows -> EventReading<R> {
        if let violation = load(value, recordTimestamp: recordTimestamp) { return .deadLetter(violation) }
        return .valid(try body(current))
    }

    /// Reads and checks one value into ``current``.
    @usableFromInline
    func load(_ value: UnsafeRawBufferPointer, recordTimestamp: Timestamp?) -> EventViolation? {
        if let violation = EventRules.violation(inSize: value.count) { return violation }
        guard simdjson.read(value) else { return loadSlowly(value, recordTimestamp: recordTimestamp) }
        let shape = simdjson.shape
        if let violation = EventRules.violation(in: shape, recordTimestamp: recordTimestamp) { return violation }
        for index in fields.indices {
            values[index] = simdjson.value(index)
        }
        current = simdjson.fields(shape, values: UnsafeBufferPointer(values))
        return nil
    }

    /// Reads what simdjson refused.
    func loadSlowly(_ value: UnsafeRawBufferPointer, recordTimestamp: Timestamp?) -> EventViolation? {
        do {
            let raw = try RawEvent(reading: value, scratch)
            let shape = raw.shape
            if let violation = EventRules.violation(in: shape, recordTimestamp: recordTimestamp) { return violation }
            for (index, field) in fields.enumerated() {
                values[index] = raw.value(of: field)
            }
            current = raw.fields(shape, values: UnsafeBufferPointer(values))
            return nil
        } catch {
            return error
        }
    }
}
