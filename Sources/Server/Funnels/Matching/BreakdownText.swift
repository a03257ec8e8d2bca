import FlowEvents

extension FieldValue {
    /// Calls `body` with the text by which a breakdown shows the value: a string as it is, `true` or `false`, a number
    /// in its shortest form, integers with all their digits, and `(none)` for an absent value, an array or an object.
    func withBreakdownText<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        switch self {
        case .string(let bytes): body(bytes)
        case .number(let number): Array(number.text.utf8).withUnsafeBytes(body)
        case .bool(let bool): Array((bool ? "true" : "false").utf8).withUnsafeBytes(body)
        case .absent, .other: Array("(none)".utf8).withUnsafeBytes(body)
        }
    }
}
