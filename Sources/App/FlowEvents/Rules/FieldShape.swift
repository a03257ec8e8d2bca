/// What stands in a field, as far as the rules care: its type, and whether it is empty.
package enum FieldShape: Sendable {
    /// Nothing, or `null`.
    case absent
    /// The string `""`.
    case emptyString
    /// Any other string.
    case string
    /// A string with an escaped surrogate that has no partner: JSON, but no Unicode text.
    case malformedString
    /// A number.
    case number
    /// `true` or `false`.
    case bool
    /// An array.
    case array
    /// An object.
    case object

    /// The shape of an optional Swift string, which is always well-formed.
    package init(_ string: String?) {
        self = string.map { $0.isEmpty ? .emptyString : .string } ?? .absent
    }

    /// What the field holds, for people.
    var found: String {
        switch self {
        case .absent: "nothing"
        case .emptyString: "an empty string"
        case .string: "a string"
        case .malformedString: "a string with an unpaired surrogate"
        case .number: "a number"
        case .bool: "a boolean"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
