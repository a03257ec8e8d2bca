/// A mapping whose keys are names. A key is a text however it is written: `17: x` has the key `17`.
package struct YAMLMapping {
    /// One key and its value.
    package struct Entry {
        package let key: String
        package let keyNode: YAMLNode
        package let value: YAMLNode
    }

    /// The entries, in the order of the file. The parser has refused repeated keys.
    package let entries: [Entry]
    private let node: YAMLNode
    private let what: String

    init(
        _ pairs: [(key: YAMLNode, value: YAMLNode)],
        node: YAMLNode,
        what: String
    ) throws(ConfigurationError) {
        var entries: [Entry] = []
        for (key, value) in pairs {
            guard let text = key.scalarText else {
                throw key.error("\(what): expected a name as the key, found \(key.content.description)")
            }
            entries.append(Entry(key: text, keyNode: key, value: value))
        }
        self.entries = entries
        self.node = node
        self.what = what
    }

    /// Refuses keys that are not among `known`.
    ///
    /// - Throws: ``ConfigurationError`` at the first unknown key.
    package func allow(only known: [String]) throws(ConfigurationError) {
        for entry in entries where !known.contains(entry.key) {
            let expected = known.count == 1 ? "expected '\(known[0])'" : "expected \(known.joined(separator: ", "))"
            throw entry.keyNode.error("\(what): unknown key '\(entry.key)': \(expected)")
        }
    }

    /// The value of a key that may be left out.
    package subscript(key: String) -> YAMLNode? {
        entries.first { $0.key == key }?.value
    }

    /// The value of a key that must be there.
    ///
    /// - Throws: ``ConfigurationError`` at the mapping where it is not.
    package func required(_ key: String) throws(ConfigurationError) -> YAMLNode {
        guard let value = self[key] else { throw node.error("\(what): the key '\(key)' is missing") }
        return value
    }
}
