/// How a table looks.
public struct TableStyle: Sendable, Hashable {
    /// The columns that a line may take. What cannot be narrower than this is wider.
    public var width: Int
    /// Whether to write the ANSI escapes that give colors.
    public var hasColor: Bool

    /// Creates a style.
    public init(width: Int = 80, hasColor: Bool = false) {
        self.width = width
        self.hasColor = hasColor
    }

    enum Look: String {
        case title = "1"
        case detail = "2"
        case bar = "36"
    }

    // ECMA-48's SGR, with the eight colors that every terminal's theme defines.
    func apply(_ look: Look, to text: String) -> String {
        hasColor && !text.isEmpty ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
    }
}
