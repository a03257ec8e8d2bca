import FlowEvents

extension TerminalText {
    /// Returns the columns that a text takes on a terminal: 2 for East Asian wide characters and emoji, 0 for marks.
    static func width(_ text: String) -> Int {
        text.reduce(0) { $0 + width($1) }
    }

    /// Returns the text in exactly `columns` columns: padded with spaces, or cut with an ellipsis.
    static func fit(_ text: String, columns: Int) -> String {
        let width = width(text)
        if width <= columns { return text + String(repeating: " ", count: columns - width) }
        var output = ""
        var used = 0
        for character in text {
            let next = Self.width(character)
            guard used + next <= columns - 1 else { break }
            output.append(character)
            used += next
        }
        return output + "…" + String(repeating: " ", count: max(0, columns - used - 1))
    }

    private static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        // U+FE0F selects the emoji form of the character before it.
        if scalars.contains(where: { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }) { return 2 }
        guard let first = scalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wide.contains { $0.contains(first.value) } ? 2 : 1
        }
    }

    // The blocks that are Wide or Fullwidth in Unicode's EastAsianWidth.txt (UAX #11), the emoji left to the property.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD,
    ]
}
