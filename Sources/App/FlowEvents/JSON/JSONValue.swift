/// A JSON value whose nested values are not parsed yet. Its bytes belong to the text, or to the ``JSONScratch`` that was
/// used to parse the text.
package enum JSONValue {
    /// `null`, or no member of the name.
    case absent
    /// A string without its escapes, in UTF-8.
    case string(UnsafeRawBufferPointer)
    /// A string that escapes half of a surrogate pair: valid JSON, but not Unicode text.
    case malformedString
    /// A number; infinite if no double can hold it.
    case number(FieldNumber)
    /// A boolean.
    case bool(Bool)
    /// An array.
    case array
    /// An object, as its text including the braces.
    case object(UnsafeRawBufferPointer)

    /// The part that the rules check.
    package var shape: FieldShape {
        switch self {
        case .absent: .absent
        case .string(let bytes): FieldShape(stringOfSize: bytes.count)
        case .malformedString: .malformedString
        case .number: .number
        case .bool: .bool
        case .array: .array
        case .object: .object
        }
    }

    /// The bytes of a string; `nil` for other values.
    package var string: UnsafeRawBufferPointer? {
        if case .string(let bytes) = self { bytes } else { nil }
    }

    /// The value of a number; `nil` for other values.
    package var number: FieldNumber? {
        if case .number(let number) = self { number } else { nil }
    }
}

/// A member of a JSON object.
package struct JSONMember {
    /// The name without its escapes; `nil` if it is not Unicode text.
    package let name: UnsafeRawBufferPointer?
    /// The value.
    package let value: JSONValue
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes equal those of `text`.
    func equals(_ text: StaticString) -> Bool {
        elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns the bytes in `range`, which must be within bounds.
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }
}
