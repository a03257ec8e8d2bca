/// A JSON value of which only the outermost layer has been looked at. Its bytes belong to the text that it was read
/// from, or to the ``JSONScratch`` of that reading.
package enum JSONValue {
    /// `null`, or no such member.
    case absent
    /// A string, unescaped, as UTF-8.
    case string(UnsafeRawBufferPointer)
    /// A string that escapes half of a surrogate pair: JSON, but no Unicode text.
    case malformedString
    /// A number, as the nearest double; infinite where it is too big for one.
    case number(Double)
    /// A truth value.
    case bool(Bool)
    /// An array.
    case array
    /// An object, as its text from brace to brace.
    case object(UnsafeRawBufferPointer)

    /// What the rules see of it.
    package var shape: FieldShape {
        switch self {
        case .absent: .absent
        case .string(let bytes): bytes.isEmpty ? .emptyString : .string
        case .malformedString: .malformedString
        case .number: .number
        case .bool: .bool
        case .array: .array
        case .object: .object
        }
    }

    /// The bytes, where it is a string.
    package var string: UnsafeRawBufferPointer? {
        if case .string(let bytes) = self { bytes } else { nil }
    }

    /// The double, where it is a number.
    package var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }
}

/// A member of a JSON object.
package struct JSONMember {
    /// The name, unescaped; `nil` where it is no Unicode text, and so nothing that anyone asks for.
    package let name: UnsafeRawBufferPointer?
    /// The value.
    package let value: JSONValue
}

extension UnsafeRawBufferPointer {
    /// Whether these are the bytes of `text`.
    func equals(_ text: StaticString) -> Bool {
        elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The part of these bytes in `range`, which has to lie within them.
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }
}
