/// A JSON text in the making. Foundation's encoder cannot keep the contract's order of keys or `1.0`, and takes
/// milliseconds to start.
indirect enum JSONValue {
    case object([(key: String, value: JSONValue)])
    case array([JSONValue])
    case string(String)
    /// A number or `null`, as it is to stand there.
    case literal(String)

    /// An integer, or `null`.
    static func integer(_ value: (some BinaryInteger)?) -> JSONValue {
        .literal(value.map { "\($0)" } ?? "null")
    }

    /// A text, or `null`.
    static func optional(_ value: String?) -> JSONValue {
        value.map(JSONValue.string) ?? .literal("null")
    }

    /// Writes the value, one member or item a line, each level one space further in.
    func write(to output: inout String, level: Int = 0) {
        switch self {
        case .literal(let text): output += text
        case .string(let text): Self.write(text, to: &output)
        case .array(let items):
            Self.write(items, between: "[", and: "]", to: &output, level: level) { item, output in
                item.write(to: &output, level: level + 1)
            }
        case .object(let members):
            Self.write(members, between: "{", and: "}", to: &output, level: level) { member, output in
                Self.write(member.key, to: &output)
                output += ": "
                member.value.write(to: &output, level: level + 1)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item],
        between open: String,
        and close: String,
        to output: inout String,
        level: Int,
        each: (Item, inout String) -> Void
    ) {
        output += open
        for (index, item) in items.enumerated() {
            output += (index == 0 ? "\n" : ",\n") + String(repeating: " ", count: level + 1)
            each(item, &output)
        }
        if !items.isEmpty { output += "\n" + String(repeating: " ", count: level) }
        output += close
    }

    // RFC 8259, section 7: quotes, backslashes and the controls below U+0020 must be escaped; the rest is UTF-8.
    private static func write(_ text: String, to output: inout String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }
}
