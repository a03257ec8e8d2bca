/// A mistake in the definition of a funnel.
public struct FunnelDefinitionError: Error, Sendable, Hashable {
    /// The kinds of mistakes. New kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name is empty or has a character other than letters, digits, `-`, `_` and `.`.
        public static let invalidName = Code(rawValue: "invalid_name")
        /// The window is less than 1 millisecond or more than 100,000 days.
        public static let invalidWindow = Code(rawValue: "invalid_window")
        /// There are no steps, or more than ``Funnel/maximumStepCount``.
        public static let invalidStepCount = Code(rawValue: "invalid_step_count")
        /// Two steps have the same name.
        public static let duplicateStep = Code(rawValue: "duplicate_step")
        /// An exclusion or a breakdown names a step that the funnel does not have.
        public static let unknownStep = Code(rawValue: "unknown_step")
        /// An exclusion does not go from one required step to a later one.
        public static let invalidExclusion = Code(rawValue: "invalid_exclusion")
        /// A sum has a number of decimals that is not in ``Sum/decimalsRange``.
        public static let invalidDecimals = Code(rawValue: "invalid_decimals")
        /// A step or an exclusion has no alternatives, or more than ``EventPattern/maximumCount``.
        public static let invalidAlternatives = Code(rawValue: "invalid_alternatives")
        /// The first or the last step is optional, or there are more optional steps than
        /// ``Funnel/maximumOptionalStepCount``.
        public static let invalidOptionalStep = Code(rawValue: "invalid_optional_step")
        /// A breakdown has no parts, or more than ``Breakdown/maximumPartCount``.
        public static let invalidBreakdown = Code(rawValue: "invalid_breakdown")
        /// An experiment has no variants: there is no breakdown, or none by one field of the first step; or its shares do
        /// not fit.
        public static let invalidExperiment = Code(rawValue: "invalid_experiment")
        /// A condition compares with NaN, which is not a number.
        public static let invalidBound = Code(rawValue: "invalid_bound")
        /// The time zone has a name that is not known.
        public static let unknownTimeZone = Code(rawValue: "unknown_time_zone")
    }

    /// The kind of mistake.
    public let code: Code
    /// The name of the funnel; empty for a mistake in the time zone.
    public let funnel: String
    /// Where the mistake is: the way through the definition as a funnels file writes it, such as `steps`, 1, `sum`. Empty for a
    /// mistake in all of it.
    public let path: [PathElement]
    /// The mistake and what was expected, as a sentence for people.
    public let message: String

    /// - Parameter message: the whole sentence.
    init(_ code: Code, funnel: String, at path: [PathElement] = [], message: String) {
        self.code = code
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
