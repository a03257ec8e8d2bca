import FlowEvents

extension FieldValue {
    /// The value as the text that a breakdown shows: strings as they are, `true` and `false`, numbers in their shortest
    /// form, `(none)` where there is nothing or nothing that can be compared.
    func withBreakdownText<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        switch self {
        case .string(let bytes): body(bytes)
        case .number(let number): Array(Self.text(of: number).utf8).withUnsafeBytes(body)
        case .bool(let bool): Array((bool ? "true" : "false").utf8).withUnsafeBytes(body)
        case .absent, .other: Array("(none)".utf8).withUnsafeBytes(body)
        }
    }

    private static func text(of number: Double) -> String {
        // −0 is 0, and whole numbers that a double tells apart are written without an exponent.
        if let whole = number.integer, whole.magnitude < 10_000_000_000_000_000 { return String(whole) }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
