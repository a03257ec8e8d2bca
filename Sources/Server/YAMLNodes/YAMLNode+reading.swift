import FlowEvents

extension YAMLNode {
    /// Returns the node's text, which must not be empty.
    ///
    /// - Parameter what: the value's name in an error: "the funnel's name".
    /// - Throws: ``ConfigurationError`` if it is not a text; a number or a truth value must be in quotes.
    package func text(_ what: String) throws(ConfigurationError) -> String {
        let content = content
        switch content {
        case .string(let text) where !text.isEmpty: return text
        case .bool, .number:
            let written = scalarText ?? ""
            throw error("\(what): expected a text, found \(content.description): write it in quotes, as \"\(written)\"")
        default:
            throw error("\(what): expected a text, found \(content.description)")
        }
    }

    /// Returns the node's items.
    ///
    /// - Parameters:
    ///   - what: the value's name in an error.
    ///   - items: the name of the items in an error, in the plural.
    /// - Throws: ``ConfigurationError`` if it is not a list, or if the list is empty.
    package func list(_ what: String, of items: String) throws(ConfigurationError) -> [YAMLNode] {
        let content = content
        guard case .list(let nodes) = content, !nodes.isEmpty else {
            throw error("\(what): expected a list of one or more \(items), found \(content.description)")
        }
        return nodes
    }

    /// Returns the node's keys and values.
    ///
    /// - Parameter what: the value's name in an error.
    /// - Throws: ``ConfigurationError`` if it is not a mapping, or if a key is not a scalar.
    package func mapping(_ what: String) throws(ConfigurationError) -> YAMLMapping {
        let content = content
        guard case .mapping(let pairs) = content else {
            throw error("\(what): expected a mapping, found \(content.description)")
        }
        return try YAMLMapping(pairs, node: self, what: what)
    }

    /// Returns the node's duration, such as `1h30m`.
    ///
    /// - Parameter what: the value's name in an error.
    /// - Throws: ``ConfigurationError`` if it is not in the format of `DurationText`.
    package func duration(_ what: String) throws(ConfigurationError) -> Duration {
        let content = content
        guard case .string(let text) = content, let milliseconds = DurationText.milliseconds(text) else {
            throw error("\(what): expected \(DurationText.form), found \(found)")
        }
        return .milliseconds(milliseconds)
    }
}
