/// A mistake in the definition of a funnel.
public struct FunnelDefinitionError: Error, Sendable, Hashable {
    /// The name of the funnel; empty for a mistake in the time zone.
    public let funnel: String
    /// Where the mistake is: the way through the definition as a funnels file writes it, such as `steps`, 1, `sum`. Empty for a
    /// mistake in all of it.
    public let path: [PathElement]
    /// The mistake and what was expected, as a sentence for people.
    public let message: String

    /// - Parameter message: the whole sentence.
    init(funnel: String, at path: [PathElement] = [], message: String) {
        self.funnel = funnel
        self.path = path
        self.message = message
    }

    /// A step of a ``path``.
    public enum PathElement: Sendable, Hashable {
        /// A key of a mapping.
        case key(String)
        /// An element of a list, by its index.
        case index(Int)
    }
}

extension FunnelDefinitionError.PathElement: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Creates a key.
    public init(stringLiteral key: String) { self = .key(key) }
    /// Creates an index.
    public init(integerLiteral index: Int) { self = .index(index) }
}

extension FunnelDefinitionError: CustomStringConvertible {
    /// The ``message``.
    public var description: String { message }
}
