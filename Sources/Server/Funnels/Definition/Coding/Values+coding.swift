public import FlowEvents

// The values of a definition as a store keeps them: JSON with one key, which tells their kinds apart. A path could not
// distinguish a field of `data` named `properties.x` from a property.

extension Field: Codable {
    private enum CodingKeys: String, CodingKey { case data, property }

    /// Reads what ``encode(to:)`` has written.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let name = try container.decodeIfPresent(String.self, forKey: .data) {
            self = .data(name)
        } else {
            self = .property(try container.decode(String.self, forKey: .property))
        }
    }

    /// Writes the name with `data` or `property` as its key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .data(let name): try container.encode(name, forKey: .data)
        case .property(let name): try container.encode(name, forKey: .property)
        }
    }
}

extension PropertyValue: Codable {
    private enum CodingKeys: String, CodingKey { case string, number, bool }

    /// Reads what ``encode(to:)`` has written.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .string) {
            self = .string(text)
        } else if let number = try container.decodeIfPresent(PropertyNumber.self, forKey: .number) {
            self = .number(number)
        } else {
            self = .bool(try container.decode(Bool.self, forKey: .bool))
        }
    }

    /// Writes the value with its type as its key: the text "inf" is no infinite number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch kind {
        case .string(let text): try container.encode(text, forKey: .string)
        case .number(let number): try container.encode(number, forKey: .number)
        case .bool(let value): try container.encode(value, forKey: .bool)
        }
    }
}

extension PropertyNumber: Codable {
    /// Reads what ``encode(to:)`` has written.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let double = try? container.decode(Double.self) {
            self.init(double)
        } else if let number = PropertyNumber(decimal: try container.decode(String.self)) {
            self = number
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a number")
        }
    }

    /// Writes a number where it is the nearest double of no other integer, and a text of its digits otherwise.
    ///
    /// A decoder of JSON may keep integers beyond 2⁵³ as doubles. Foundation's does on some platforms.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let isDouble = !isFinite || PropertyNumber(double) == self
        if isDouble { try container.encode(double) } else { try container.encode(description) }
    }
}
