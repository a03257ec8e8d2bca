/// The path of a field that a funnel may compare: a field of `data`, or one of `data.properties`.
///
/// ```swift
/// let screen = Field(path: "screen")               // .data("screen")
/// let platform = Field(path: "properties.platform") // .property("platform")
/// ```
public enum Field: Sendable, Hashable {
    /// A field of `data`, with a rule or without.
    case data(String)
    /// A field of `data.properties`.
    case property(String)

    /// Parses the path of a funnels file: `NAME`, or `properties.NAME`. The property's name is everything after the
    /// first dot.
    ///
    /// Returns `nil` if the name is empty.
    public init?(path: String) {
        // By bytes: as characters, a combining mark after the dot would be part of the dot.
        let prefix = "properties.".utf8
        if path.utf8.starts(with: prefix) {
            let name = path.utf8.dropFirst(prefix.count)
            guard !name.isEmpty else { return nil }
            self = .property(String(Substring(name)))
        } else {
            guard !path.isEmpty else { return nil }
            self = .data(path)
        }
    }

    /// The path in a funnels file.
    public var path: String {
        switch self {
        case .data(let name): name
        case .property(let name): "properties.\(name)"
        }
    }

    // `String` treats canonically equivalent texts as equal; the names of JSON members differ by their bytes.
    /// Whether the paths are equal, byte for byte.
    public static func == (lhs: Field, rhs: Field) -> Bool {
        switch (lhs, rhs) {
        case (.data(let lhs), .data(let rhs)), (.property(let lhs), .property(let rhs)):
            lhs.utf8.elementsEqual(rhs.utf8)
        default: false
        }
    }

    // Equivalent texts have one hash, so texts of equal bytes do too.
    /// Hashes the path.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
    }
}

extension Field: ExpressibleByStringLiteral {
    /// Creates a field from its path, such as `"properties.platform"`. No event has a field with an empty path.
    public init(stringLiteral path: String) {
        self = Field(path: path) ?? .data(path)
    }
}
