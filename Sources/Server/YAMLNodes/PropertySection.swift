/// The properties under a key that are passed on to a library as they are written, each with its line for errors.
///
/// The library knows which names and values there are, and reports a mistake without a file:
///
/// ```swift
/// let section = try PropertySection(node, "kafka")
/// let error = section.error(about: "acks", "has an invalid value")   // config/consumer.yaml:12: …
/// ```
///
/// Two sections are equal where their properties are, wherever these are written.
public struct PropertySection: Sendable, ExpressibleByDictionaryLiteral {
    private struct Location {
        let file: String
        let line: Int
    }

    /// The texts by property, without quotes.
    public private(set) var values: [String: String] = [:]
    private var locations: [String: Location] = [:]

    /// Creates a section that is in no file.
    public init(dictionaryLiteral properties: (String, String)...) {
        values = Dictionary(properties) { $1 }
    }

    /// The text of a property. One that is set here has no line.
    public subscript(property: String) -> String? {
        get { values[property] }
        set {
            values[property] = newValue
            locations[property] = nil
        }
    }

    /// Reads a section. Its errors never show a value, because some are passwords.
    ///
    /// - Parameters:
    ///   - node: the mapping of properties to texts, numbers or truth values.
    ///   - what: the section's name in an error.
    ///   - isTaken: refuses a property by throwing, and takes it out of the section by returning `true`.
    /// - Throws: ``ConfigurationError`` for a value of another type; the error of `isTaken`.
    package init(
        _ node: YAMLNode,
        _ what: String,
        isTaken: (_ key: YAMLNode, _ property: String, _ value: String) throws(ConfigurationError) -> Bool
    ) throws(ConfigurationError) {
        for entry in try node.mapping(what).entries {
            // A property is a text to the library, so `0123` and `True` are passed on as they are written.
            guard let text = entry.value.propertyText else {
                throw entry.value.error(
                    "\(what), '\(entry.key)': expected a text, a number or a truth value, found "
                        + entry.value.content.description
                )
            }
            if try isTaken(entry.keyNode, entry.key, text) { continue }
            values[entry.key] = text
            locations[entry.key] = Location(file: entry.keyNode.file, line: entry.keyNode.line)
        }
    }

    /// Creates an error at a property's line; `nil` where no file has the property.
    ///
    /// - Parameters:
    ///   - property: the property; `nil` where properties do not fit together, for the line of the section's first one.
    ///   - message: the error's message.
    package func error(about property: String?, _ message: String) -> ConfigurationError? {
        let found = if let property { locations[property] } else { locations.values.min { $0.line < $1.line } }
        guard let location = found else { return nil }
        return ConfigurationError(source: location.file, line: location.line, message: message)
    }

    /// Adds the properties of another section, which override properties of the same names.
    package mutating func merge(_ stronger: PropertySection) {
        for (property, value) in stronger.values {
            values[property] = value
            locations[property] = stronger.locations[property]
        }
    }
}

extension PropertySection: Hashable {
    /// Whether both have the same properties with the same texts.
    public static func == (first: PropertySection, second: PropertySection) -> Bool { first.values == second.values }

    /// Hashes the properties and their texts.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension YAMLNode {
    fileprivate var propertyText: String? {
        switch content {
        case .string, .bool, .number: scalarText
        default: nil
        }
    }
}
