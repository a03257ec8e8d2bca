import FlowEvents
import Yams

/// A node of a YAML document, with its file and line. Scalars have the meaning of the core schema, see ``CoreScalar``.
///
/// ``content`` is computed one level at a time, so that nested aliases are never expanded all at once.
package struct YAMLNode {
    private let node: Node
    /// The file's name, for errors.
    let file: String

    init(_ node: Node, file: String) {
        self.node = node
        self.file = file
    }

    /// The contents of a node.
    package enum Content {
        case null
        case bool(Bool)
        /// A number; not finite if it is written so, or if it is too large for a double.
        case number(PropertyNumber)
        case string(String)
        case list([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
        /// A node with a tag that the core schema does not have, or that does not fit the scalar.
        case invalidTag(String)
    }

    /// The node's contents. Quotes and an explicit tag (`!!str 17`) override the meaning of the text.
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
        // Not reached: the parser replaces an alias by its node.
        case .alias: .null
        }
    }

    /// A scalar's text as it is written, without quotes; `nil` for a list or a mapping.
    package var scalarText: String? {
        node.scalar?.string
    }

    /// The value of a whole number of 64 bits; `nil` for any other node.
    package var wholeNumber: Int? {
        if case .number(let number) = content { number.integer.map(Int.init) } else { nil }
    }

    /// Whether nothing is written, or `null`.
    package var isNull: Bool {
        if case .null = content { true } else { false }
    }

    /// The node's line in its file, from 1. An alias has the line of the node that it refers to.
    package var line: Int {
        node.mark?.line ?? 1
    }

    /// Creates an error at this node.
    package func error(_ message: String) -> ConfigurationError {
        ConfigurationError(source: file, line: line, message: message)
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

extension YAMLNode {
    /// The scalar as it is written, or the kind of contents, for error messages that end with "found …".
    package var found: String { scalarText.map { "'\($0)'" } ?? content.description }
}

extension YAMLNode.Content {
    /// The kind of contents, for error messages that end with "found …".
    package var description: String {
        switch self {
        case .null: "nothing (null)"
        case .bool(let value): "the truth value \(value)"
        case .number: "a number"
        case .string(""): "an empty text"
        case .string: "a text"
        case .list(let items): items.isEmpty ? "an empty list" : "a list"
        case .mapping(let pairs): pairs.isEmpty ? "an empty mapping" : "a mapping"
        case .invalidTag(let tag): "a value that does not fit its tag '\(tag)'"
        }
    }
}
