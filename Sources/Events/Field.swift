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
        let prefix = "properties."
        if path.hasPrefix(prefix) {
            let name = path.dropFirst(prefix.count)
            guard !name.isEmpty else { return nil }
            self = .property(String(name))
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
}
