/// Makes text from events and files safe to print on a terminal.
package enum TerminalText {
    /// Returns the text with an escape, such as `\u{1B}`, for each character that would move the cursor, change colors or
    /// turn the writing direction.
    ///
    /// Without this, an event could write anywhere on the screen of the person who reads a report.
    package static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case _ where isUnsafe(scalar): output += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        // Emoji and some scripts need the joiners. All other format characters only hide or reorder text.
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}" && !(0xE0020...0xE007F).contains(scalar.value)
        default: false
        }
    }
}
