public import FlowEvents

/// The values by which a funnel's counts are broken down.
///
/// An attempt has one value: what the parts of the breakdown show of it. A part shows `(none)` where the event lacks the
/// field, and `(not reached)` where the attempt did not meet the part's step.
///
/// ```swift
/// let bySource: Breakdown = "paywall_source"                      // of the first step's event
/// let bySourceAndPlan = Breakdown(list: [
///     Breakdown.Part("paywall_source"), Breakdown.Part("properties.plan", ofStep: "bought"),
/// ])
/// ```
public struct Breakdown: Sendable, Hashable, Codable {
    /// A field of the event that met one step.
    public struct Part: Sendable, Hashable, Codable {
        /// The field.
        public let field: Field
        /// The name of the step; `nil` for the first step.
        public let step: String?

        /// Creates a part.
        public init(_ field: Field, ofStep step: String? = nil) {
            self.field = field
            self.step = step
        }
    }

    // Set in a copy only, see CountingIdentity.
    /// The parts: one to ``maximumPartCount``.
    public internal(set) var parts: [Part]
    /// Whether the values are lists, with a text for each part. A single part need not be a list.
    public let isList: Bool

    /// The greatest number of parts.
    public static let maximumPartCount = 3

    /// What a part shows of an attempt that did not meet its step.
    public static let notReached = "(not reached)"

    /// Creates a breakdown by one field, whose values are texts.
    public init(_ field: Field, ofStep step: String? = nil) {
        parts = [Part(field, ofStep: step)]
        isList = false
    }

    /// Creates a breakdown whose values are lists.
    public init(list parts: [Part]) {
        self.parts = parts
        isList = true
    }
}

extension Breakdown: ExpressibleByStringLiteral {
    /// Creates a breakdown by a field of the first step's event from its path, such as `"properties.platform"`.
    public init(stringLiteral path: String) {
        self.init(Field(stringLiteral: path))
    }
}

/// The value of a breakdown as reports show it.
public enum BreakdownValue: Sendable, Hashable {
    /// The text of the only part.
    case text(String)
    /// A text for each part.
    case list([String])

    // `String` treats canonically equivalent texts as equal; values differ by their bytes.
    /// Whether both have the same texts, byte for byte, and both or neither are lists.
    public static func == (lhs: BreakdownValue, rhs: BreakdownValue) -> Bool {
        switch (lhs, rhs) {
        case (.text, .text), (.list, .list): lhs.texts.elementsEqual(rhs.texts) { $0.utf8.elementsEqual($1.utf8) }
        default: false
        }
    }
}

extension BreakdownValue: ExpressibleByStringLiteral {
    /// Creates the value of a breakdown that is no list.
    public init(stringLiteral text: String) {
        self = .text(text)
    }
}

extension BreakdownValue {
    /// The texts of the parts.
    public var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .list(let texts): texts
        }
    }
}

extension BreakdownValue: CustomStringConvertible {
    /// The text, or the list as JSON text: how CSV and the SQL view show it.
    public var description: String {
        switch self {
        case .text(let text): text
        case .list(let texts): String(decoding: JSONTextList.encode(texts), as: UTF8.self)
        }
    }
}

extension BreakdownValue: Comparable {
    /// The order of values: part by part, by the UTF-8 bytes.
    public static func < (lhs: BreakdownValue, rhs: BreakdownValue) -> Bool {
        let (left, right) = (lhs.texts, rhs.texts)
        for (left, right) in zip(left, right) where !left.utf8.elementsEqual(right.utf8) {
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        }
        return left.count < right.count
    }
}

extension Funnel {
    /// The index of the step whose event has the field of a part.
    func stepIndex(of part: Breakdown.Part) -> Int { part.step.flatMap { index(ofStep: $0) } ?? 0 }

    /// The value of the breakdown that a store keeps as these bytes.
    func breakdownValue(_ stored: [UInt8]) -> BreakdownValue {
        guard breakdown?.isList ?? false else { return .text(String(decoding: stored, as: UTF8.self)) }
        return .list(JSONTextList.decode(stored))
    }
}
