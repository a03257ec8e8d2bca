extension FieldNumber: Comparable {
    /// Whether `lhs` is less than `rhs`: exactly, even where both are the same double.
    @inline(__always)
    public static func < (lhs: FieldNumber, rhs: FieldNumber) -> Bool {
        switch (lhs, rhs) {
        case (.integer(let lhs), .integer(let rhs)): lhs < rhs
        case (.double(let lhs), .double(let rhs)): lhs < rhs
        default: isLess(lhs, rhs)
        }
    }

    @inline(never)
    private static func isLess(_ lhs: FieldNumber, _ rhs: FieldNumber) -> Bool {
        switch (lhs, rhs) {
        case (.unsigned(let lhs), .unsigned(let rhs)): return lhs < rhs
        case (.integer, .unsigned): return true
        case (.unsigned, .integer): return false
        default: break
        }
        let (left, right) = (lhs.double, rhs.double)
        // A double with a fraction is so small that no integer rounds past it.
        guard left == right else { return left < right }
        // At least one is beyond 64 bits, so a longer text is further from 0.
        let (leftDigits, rightDigits) = (lhs.wholeDigits, rhs.wholeDigits)
        let isCloser =
            leftDigits.count == rightDigits.count
            ? leftDigits.lexicographicallyPrecedes(rightDigits) : leftDigits.count < rightDigits.count
        return left < 0 ? !isCloser && leftDigits != rightDigits : isCloser
    }

    /// The digits of an integer, after a `-` if it is negative.
    private var wholeDigits: [UInt8] {
        switch self {
        case .integer, .unsigned: Array(text.utf8)
        case .digits(let bytes): Array(bytes)
        case .double(let value): value.wholeDigits
        }
    }
}
