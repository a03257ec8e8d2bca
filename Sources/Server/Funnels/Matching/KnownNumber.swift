import FlowEvents

/// A number that a condition names, in the flat memory of a matcher. It keeps no object alive, which a comparison with
/// each event would retain.
enum KnownNumber {
    case integer(Int64)
    case unsigned(UInt64)
    /// The range of the digits in the matcher's text.
    case digits(Range<Int>)
    case double(Double)

    /// The number as it compares with those of events.
    ///
    /// - Parameter text: the matcher's text.
    @inline(__always)
    func number(in text: UnsafeRawBufferPointer) -> FieldNumber {
        switch self {
        case .integer(let value): .integer(value)
        case .unsigned(let value): .unsigned(value)
        case .digits(let range): .digits(UnsafeRawBufferPointer(rebasing: text[range]))
        case .double(let value): .double(value)
        }
    }
}
