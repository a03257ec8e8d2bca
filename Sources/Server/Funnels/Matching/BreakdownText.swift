import FlowEvents

extension FieldValue {
    /// Calls `body` with the text by which a breakdown shows the value: a string as it is, `true` or `false`, a number
    /// in its shortest form, and `(none)` for an absent value, an array or an object.
    func withBreakdownText<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        switch self {
        case .string(let bytes): body(bytes)
        case .number(let number): Array(Self.text(of: number).utf8).withUnsafeBytes(body)
        case .bool(let bool): Array((bool ? "true" : "false").utf8).withUnsafeBytes(body)
        case .absent, .other: Array("(none)".utf8).withUnsafeBytes(body)
        }
    }

    private static func text(of number: Double) -> String {
        // −0 becomes 0. Whole numbers are written without an exponent as long as a double holds them exactly.
        if let whole = number.integer, whole.magnitude < 10_000_000_000_000_000 { return String(whole) }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
