import Funnels

extension YAMLNode {
    /// The node's text, which must not be empty.
    ///
    /// - Parameter what: names the value in an error: "the funnel's name".
    /// - Throws: ``ConfigurationError`` where it is not a text; a number or a truth value has to stand in quotes.
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

    /// The node's items.
    ///
    /// - Parameters:
    ///   - what: names the value in an error.
    ///   - items: what an item is, in the plural.
    /// - Throws: ``ConfigurationError`` where it is not a list, or an empty one.
    package func list(_ what: String, of items: String) throws(ConfigurationError) -> [YAMLNode] {
        let content = content
        guard case .list(let nodes) = content, !nodes.isEmpty else {
            throw error("\(what): expected a list of one or more \(items), found \(content.description)")
        }
        return nodes
    }

    /// The node's keys and values.
    ///
    /// - Parameter what: names the value in an error.
    /// - Throws: ``ConfigurationError`` where it is not a mapping, or a key is not a scalar.
    package func mapping(_ what: String) throws(ConfigurationError) -> YAMLMapping {
        let content = content
        guard case .mapping(let pairs) = content else {
            throw error("\(what): expected a mapping, found \(content.description)")
        }
        return try YAMLMapping(pairs, node: self, what: what)
    }

    /// The node's duration, in milliseconds.
    ///
    /// - Parameter what: names the value in an error.
    /// - Throws: ``ConfigurationError`` where it is not written as ``DurationText`` says.
    package func duration(_ what: String) throws(ConfigurationError) -> Int64 {
        let content = content
        guard case .string(let text) = content, let milliseconds = DurationText.milliseconds(text) else {
            let found = scalarText.map { "'\($0)'" } ?? content.description
            throw error("\(what): expected \(DurationText.form), found \(found)")
        }
        return milliseconds
    }
}
