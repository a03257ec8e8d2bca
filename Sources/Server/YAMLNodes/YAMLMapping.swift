package import FunnelServiceSupport

/// A mapping whose keys are names. Every scalar key is read as text: `17: x` has the key `17`.
package struct YAMLMapping {
    /// One key and its value.
    package struct Entry {
        package let key: String
        package let keyNode: YAMLNode
        package let value: YAMLNode
    }

    /// The entries, in the order of the file. Keys are unique, because the parser refuses repeated ones.
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

    /// Checks that the mapping has no other keys than `known`.
    ///
    /// - Throws: ``ConfigurationError`` at the first unknown key.
    package func allow(only known: [String]) throws(ConfigurationError) {
        for entry in entries where !known.contains(entry.key) {
            let expected = known.count == 1 ? "expected '\(known[0])'" : "expected \(known.joined(separator: ", "))"
            throw entry.keyNode.error("\(what): unknown key '\(entry.key)': \(expected)")
        }
    }

    /// The value of an optional key.
    package subscript(key: String) -> YAMLNode? {
        entries.first { $0.key == key }?.value
    }

    /// The value of an optional key that has keys of its own. A section whose lines are all comments is as if it were left
    /// out.
    package func section(_ key: String) -> YAMLNode? {
        self[key].flatMap { $0.isNull ? nil : $0 }
    }

    /// Reads the text of an optional key; `nil` if the key is not there.
    ///
    /// - Throws: ``ConfigurationError`` at the value if it is not a text, or if `rule` does not allow the text.
    package func value<Value>(_ key: String, _ rule: SettingText<Value>) throws(ConfigurationError) -> Value? {
        guard let node = self[key] else { return nil }
        let text = try node.text(key)
        do {
            return try rule.value(text)
        } catch {
            throw node.error("\(key): \(error), found '\(text)'")
        }
    }

    /// Returns the value of a required key.
    ///
    /// - Throws: ``ConfigurationError`` at the mapping if the key is missing.
    package func required(_ key: String) throws(ConfigurationError) -> YAMLNode {
        guard let value = self[key] else { throw node.error("\(what): the key '\(key)' is missing") }
        return value
    }
}
