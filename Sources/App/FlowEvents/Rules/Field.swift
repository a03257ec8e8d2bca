/// A place in an event that a funnel may look at: a field of `data`, or one of `data.properties`.
public enum Field: Sendable, Hashable {
    /// A field of `data`, known to the contract or not.
    case data(String)
    /// A field of `data.properties`.
    case property(String)

    /// Reads the way a funnels file writes a field: `NAME`, or `properties.NAME`, where the property's name is all that
    /// follows the first dot.
    ///
    /// `nil` where a name is empty.
    public init?(path: String) {
        // By bytes: a combining mark after the dot would make the two one character and hide the prefix.
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

    /// The field as a funnels file writes it.
    public var path: String {
        switch self {
        case .data(let name): name
        case .property(let name): "properties.\(name)"
        }
    }

    // String's own == folds canonically equivalent text together; names in JSON are told apart by their bytes.
    /// Whether both are the same place: names byte for byte.
    public static func == (lhs: Field, rhs: Field) -> Bool {
        switch (lhs, rhs) {
        case (.data(let lhs), .data(let rhs)), (.property(let lhs), .property(let rhs)):
            lhs.utf8.elementsEqual(rhs.utf8)
        default: false
        }
    }

    // String's hash is the same for equivalent texts, so it is also the same for equal bytes.
    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
    }
}
