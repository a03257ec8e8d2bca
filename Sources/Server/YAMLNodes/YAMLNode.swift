import Yams

/// A node of a YAML document that knows its file and line, its scalars resolved by the core schema.
///
/// What it holds is looked at one level at a time, so that aliases inside aliases never unfold.
package struct YAMLNode {
    private let node: Node
    private let file: String

    init(_ node: Node, file: String) {
        self.node = node
        self.file = file
    }

    /// What a node holds.
    package enum Content {
        case null
        case bool(Bool)
        /// A number; not finite where it is written so, or too large for a double.
        case number(Double)
        case string(String)
        case list([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
        /// A tag that the core schema does not have, or whose scalar has not its form.
        case invalidTag(String)
    }

    /// What the node holds. An explicit tag (`!!str 17`) and quotes go before the form of the text.
    package var content: Content {
        switch node {
        case .scalar(let scalar): scalarContent(scalar)
        case .sequence(let sequence):
            sequence.tag == .implicit || sequence.tag == Tag(.seq)
                ? .list(sequence.map { YAMLNode($0, file: file) }) : .invalidTag(sequence.tag.rawValue)
        case .mapping(let mapping):
            mapping.tag == .implicit || mapping.tag == Tag(.map)
                ? .mapping(mapping.map { (YAMLNode($0.key, file: file), YAMLNode($0.value, file: file)) })
                : .invalidTag(mapping.tag.rawValue)
        // The parser puts in an alias's place what it stands for.
        case .alias: .null
        }
    }

    /// A scalar's text as it is written, without quotes; `nil` for a list and a mapping.
    package var scalarText: String? {
        node.scalar?.string
    }

    /// The node's line in its file, from 1. An alias has the line of what it stands for.
    package var line: Int {
        node.mark?.line ?? 1
    }

    /// An error at this node.
    package func error(_ message: String) -> ConfigurationError {
        ConfigurationError(place: file, line: line, message: message)
    }

    private func scalarContent(_ scalar: Node.Scalar) -> Content {
        let tag = scalar.tag.rawValue
        // Yams gives a quoted scalar without a tag the tag of strings.
        if tag == Tag.Name.str.rawValue { return .string(scalar.string) }
        let resolved: Content =
            switch CoreScalar(scalar.string) {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number(let value): .number(value)
            case .string: .string(scalar.string)
            }
        switch (tag, resolved) {
        case (Tag.Name.implicit.rawValue, _), (Tag.Name.null.rawValue, .null), (Tag.Name.bool.rawValue, .bool),
            (Tag.Name.int.rawValue, .number), (Tag.Name.float.rawValue, .number):
            return resolved
        default: return .invalidTag(tag)
        }
    }
}

extension YAMLNode.Content {
    /// What it is, for the end of a sentence that begins with "found".
    package var description: String {
        switch self {
        case .null: "nothing (null)"
        case .bool(let value): "the truth value \(value)"
        case .number: "a number"
        case .string(""): "an empty text"
        case .string: "a text"
        case .list(let items): items.isEmpty ? "an empty list" : "a list"
        case .mapping: "a mapping"
        case .invalidTag(let tag): "a value that does not fit its tag '\(tag)'"
        }
    }
}
