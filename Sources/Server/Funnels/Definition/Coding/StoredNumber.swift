import FlowEvents

/// The JSON form of a number in a ``DefinitionsDocument``: a JSON number where that is the nearest double of no other
/// integer, and a text of its digits otherwise.
///
/// A decoder of JSON may keep integers beyond 2⁵³ as doubles. Foundation's does on some platforms.
struct StoredNumber: Codable {
    let value: PropertyNumber

    init(_ value: PropertyNumber) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let double = try? container.decode(Double.self) {
            value = PropertyNumber(double)
        } else if let number = PropertyNumber(decimal: try container.decode(String.self)) {
            value = number
        } else {
            throw StoredDefinitionsError.damaged
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let isDouble = !value.isFinite || PropertyNumber(value.double) == value
        if isDouble { try container.encode(value.double) } else { try container.encode(value.description) }
    }
}
