/// The JSON type of a field, and whether a string is empty or too long.
package enum FieldShape: Sendable {
    /// No value, or `null`.
    case absent
    /// The string `""`.
    case emptyString
    /// Any other string of at most ``EventRules/maximumTextSize`` bytes.
    case string
    /// A string of more bytes.
    case longString
    /// A string that escapes half of a surrogate pair: valid JSON, but not Unicode text.
    case malformedString
    /// A number.
    case number
    /// `true` or `false`.
    case bool
    /// An array.
    case array
    /// An object.
    case object

    /// Creates the shape of a Swift string, which is always well-formed.
    package init(_ string: String?) {
        self = string.map { FieldShape(stringOfSize: $0.utf8.count) } ?? .absent
    }

    /// Creates the shape of a well-formed string of `size` bytes.
    @inlinable
    package init(stringOfSize size: Int) {
        self = size == 0 ? .emptyString : size <= EventRules.maximumTextSize ? .string : .longString
    }

    /// The type in words, for error messages.
    var found: String {
        switch self {
        case .absent: "nothing"
        case .emptyString: "an empty string"
        case .string: "a string"
        case .longString: "a longer string"
        case .malformedString: "a string with an unpaired surrogate"
        case .number: "a number"
        case .bool: "a boolean"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
