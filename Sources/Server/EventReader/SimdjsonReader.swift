import CFlowSimdjson
import FlowEvents

/// Reads events with simdjson and converts its values to the types of `FlowEvents`.
final class SimdjsonReader {
    // The fields of the document that was read last. In memory of its own, because the checks of exclusive access to a
    // variable of a class cost as much as reading a field; deinit deallocates it.
    private let document: UnsafeMutablePointer<csimdjson_event>
    private let reader: OpaquePointer
    private let isAbsentWhenEmpty: [Bool]
    // C writes the values of the requested fields here, so the buffer needs a fixed address; deinit deallocates it.
    private let values: UnsafeMutableBufferPointer<csimdjson_value>

    init(fields: [Field]) {
        isAbsentWhenEmpty = fields.map(\.isAbsentWhenEmpty)
        values = .allocate(capacity: fields.count)
        values.initialize(repeating: csimdjson_value())
        document = .allocate(capacity: 1)
        document.initialize(to: csimdjson_event())
        reader = Self.withNames(of: fields) { csimdjson_reader_create($0.baseAddress, $0.count) }
    }

    deinit {
        csimdjson_reader_destroy(reader)
        document.deallocate()
        values.deallocate()
    }

    /// The fields of the document that was read last.
    var event: csimdjson_event { document.pointee }

    /// Reads a document; `false` where simdjson refuses it, or does not keep a number exactly. The document may be JSON
    /// all the same.
    func read(_ text: UnsafeRawBufferPointer) -> Bool {
        csimdjson_reader_read(reader, text.baseAddress, text.count, document, values.baseAddress)
            && !values.contains(where: \.mayHaveMoreDigits)
    }

    /// The shapes of the fields, which the rules check.
    var shape: EventShape {
        let event = self.event
        var shape = EventShape()
        shape.isCloudEvents = event.specversion.isCloudEvents
        shape.id = event.id.shape
        shape.source = event.source.shape
        shape.type = event.type.shape
        shape.time = event.time.shape
        shape.timestamp = event.time.kind == CSIMDJSON_STRING ? Timestamp(rfc3339: event.time.string) : nil
        shape.data = event.data.shape
        shape.installID = event.install_id.shape
        shape.sessionID = event.session_id.shape
        shape.userID = event.user_id.shape
        shape.sequence = event.sequence.shape
        shape.sequenceNumber = event.sequence.number.double
        shape.screen = event.screen.shape
        shape.previousScreen = event.previous_screen.shape
        shape.transition = event.transition.shape
        shape.presentationID = event.presentation_id.shape
        shape.paywallSource = event.paywall_source.shape
        shape.properties = event.properties.shape
        return shape
    }

    /// The fields of a valid event, whose `shape` has passed the rules.
    func fields(_ shape: EventShape, values: UnsafeBufferPointer<FieldValue>) -> EventFields {
        let event = self.event
        return EventFields(
            id: event.id.string,
            source: event.source.string,
            type: event.type.string,
            time: shape.timestamp ?? Timestamp(milliseconds: 0),
            installID: event.install_id.string,
            sessionID: shape.sessionID == .string ? event.session_id.string : nil,
            sequence: shape.sequence == .number ? Int64(shape.sequenceNumber) : nil,
            values: values
        )
    }

    /// The value of the requested field with this index.
    func value(_ index: Int) -> FieldValue {
        let value = values[index]
        return switch value.kind {
        case CSIMDJSON_ABSENT: .absent
        case CSIMDJSON_STRING:
            value.length > EventRules.maximumTextSize || value.length == 0 && isAbsentWhenEmpty[index]
                ? .absent : .string(value.string)
        case CSIMDJSON_INTEGER, CSIMDJSON_UNSIGNED, CSIMDJSON_DOUBLE: .number(value.number)
        case CSIMDJSON_FALSE: .bool(false)
        case CSIMDJSON_TRUE: .bool(true)
        default: .other
        }
    }

    private static func withNames<R>(of fields: [Field], _ body: (UnsafeBufferPointer<csimdjson_field>) -> R) -> R {
        // All names are in one array, which C copies before the call returns.
        let names = fields.map { field in
            switch field {
            case .data(let name), .property(let name): Array(name.utf8)
            }
        }
        return Array(names.joined()).withUnsafeBufferPointer { bytes in
            var offset = 0
            let requests = zip(fields, names).map { field, name in
                defer { offset += name.count }
                let isProperty = if case .property = field { true } else { false }
                return csimdjson_field(
                    name: bytes.baseAddress.map { $0 + offset },
                    length: name.count,
                    is_property: isProperty
                )
            }
            return requests.withUnsafeBufferPointer(body)
        }
    }
}

extension csimdjson_value {
    /// The bytes of a string; empty for any other value.
    var string: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes, count: length)
    }

    /// The number of a value; 0 for any other value.
    @inline(__always)
    var number: FieldNumber {
        switch kind {
        case CSIMDJSON_DOUBLE: FieldNumber(Double(bitPattern: bits))
        // simdjson takes only those as unsigned that have no form with a sign.
        case CSIMDJSON_UNSIGNED: .unsigned(bits)
        default: .integer(Int64(bitPattern: bits))
        }
    }

    /// Whether the number may have more digits than its double: written with a fraction or an exponent, and so large that
    /// doubles skip integers.
    var mayHaveMoreDigits: Bool {
        kind == CSIMDJSON_DOUBLE && Double(bitPattern: bits).magnitude >= 0x1p53
    }

    /// Whether a value of `specversion` is the string `"1.0"`.
    fileprivate var isCloudEvents: Bool {
        let text = string
        return text.count == 3 && text[0] == UInt8(ascii: "1") && text[1] == UInt8(ascii: ".")
            && text[2] == UInt8(ascii: "0")
    }

    /// The shape of the value, which the rules check.
    @inline(__always)
    var shape: FieldShape {
        switch kind {
        case CSIMDJSON_ABSENT: .absent
        case CSIMDJSON_STRING: FieldShape(stringOfSize: length)
        case CSIMDJSON_MALFORMED_STRING: .malformedString
        case CSIMDJSON_INTEGER, CSIMDJSON_UNSIGNED, CSIMDJSON_DOUBLE: .number
        case CSIMDJSON_ARRAY: .array
        case CSIMDJSON_OBJECT: .object
        default: .bool
        }
    }
}
