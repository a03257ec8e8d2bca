/// A node of a JSON text, which is written indented and with the keys in the given order.
///
/// The writer of `FlowEvents` writes compact events into a fixed buffer and has no indentation. Foundation's encoder
/// keeps neither the order of keys nor `1.0`, and takes milliseconds to start.
package indirect enum JSONNode: Sendable {
    /// Members in the order in which they are written.
    case object([(key: String, value: JSONNode)])
    /// Elements.
    case array([JSONNode])
    /// A text.
    case string(String)
    /// The text of a number, or `null`.
    case literal(String)

    /// An integer, or `null`.
    package static func integer(_ value: (some BinaryInteger)?) -> JSONNode {
        .literal(value.map { "\($0)" } ?? "null")
    }

    /// A text, or `null`.
    package static func optional(_ value: String?) -> JSONNode {
        value.map(JSONNode.string) ?? .literal("null")
    }

    /// Writes the node with one member or element per line. Each level is indented by one more space.
    package func write(to output: inout String, level: Int = 0) {
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

    /// Writes the node in one line.
    package func writeLine(to output: inout String) {
        switch self {
        case .literal(let text): output += text
        case .string(let text): Self.write(text, to: &output)
        case .array(let items):
            output += "["
            for (index, item) in items.enumerated() {
                if index > 0 { output += "," }
                item.writeLine(to: &output)
            }
            output += "]"
        case .object(let members):
            output += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { output += "," }
                Self.write(member.key, to: &output)
                output += ":"
                member.value.writeLine(to: &output)
            }
            output += "}"
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

    // RFC 8259, section 7: quotation marks, backslashes and the control characters below U+0020 must be escaped.
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
