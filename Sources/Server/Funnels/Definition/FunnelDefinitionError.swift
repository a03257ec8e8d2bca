import FlowEvents

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
        /// A step or an exclusion has no alternatives, or more than ``EventFilter/maximumCount``.
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
    /// The name of the step, for a mistake in a step.
    public let step: String?
    /// The index of the exclusion, for a mistake in an exclusion.
    public let exclusion: Int?
    /// The index of the breakdown's part, for a mistake in one.
    public let part: Int?
    /// The mistake and what was expected, as a sentence for people.
    public let message: String

    private init(
        _ code: Code,
        funnel: String,
        step: String? = nil,
        exclusion: Int? = nil,
        part: Int? = nil,
        _ message: String
    ) {
        self.code = code
        self.funnel = funnel
        self.step = step
        self.exclusion = exclusion
        self.part = part
        self.message = message
    }
}

extension FunnelDefinitionError {
    static func invalidName(_ name: String) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .invalidName,
            funnel: name,
            "funnel name '\(name)': expected one or more of letters, digits, '-', '_' and '.'"
        )
    }

    static func invalidWindow(funnel: String) -> FunnelDefinitionError {
        let days = Funnel.maximumWindow / 86_400_000
        return FunnelDefinitionError(
            .invalidWindow,
            funnel: funnel,
            "funnel '\(funnel)': expected a window of more than 0 and at most \(days) days"
        )
    }

    static func invalidStepCount(funnel: String, count: Int) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .invalidStepCount,
            funnel: funnel,
            "funnel '\(funnel)' has \(count) steps: expected 1 to \(Funnel.maximumStepCount)"
        )
    }

    static func duplicateStep(funnel: String, step: String) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .duplicateStep,
            funnel: funnel,
            step: step,
            "funnel '\(funnel)' has two steps named '\(step)': expected unique names"
        )
    }

    static func unknownStep(funnel: String, step: String, exclusion: Int, known: [String]) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .unknownStep,
            funnel: funnel,
            step: step,
            exclusion: exclusion,
            "funnel '\(funnel)', exclude: there is no step '\(step)': expected \(known.joined(separator: ", "))"
        )
    }

    static func invalidExclusion(
        funnel: String,
        exclusion: Int,
        from: String,
        to: String
    ) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .invalidExclusion,
            funnel: funnel,
            exclusion: exclusion,
            "funnel '\(funnel)', exclude: '\(from)' is not before '\(to)': expected 'from' to be a step before 'to'"
        )
    }

    static func unknownStep(funnel: String, step: String, part: Int, known: [String]) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .unknownStep,
            funnel: funnel,
            step: step,
            part: part,
            "funnel '\(funnel)', breakdown: there is no step '\(step)': expected \(known.joined(separator: ", "))"
        )
    }

    static func optionalBound(
        funnel: String,
        step: String,
        exclusion: Int,
        required: [String]
    ) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .invalidExclusion,
            funnel: funnel,
            step: step,
            exclusion: exclusion,
            "funnel '\(funnel)', exclude: step '\(step)' is optional: expected \(required.joined(separator: ", "))"
        )
    }

    static func invalidAlternatives(
        funnel: String,
        step: String? = nil,
        exclusion: Int? = nil,
        count: Int
    ) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .invalidAlternatives,
            funnel: funnel,
            step: step,
            exclusion: exclusion,
            "funnel '\(funnel)', \(step.map { "step '\($0)'" } ?? "exclude"), any: "
                + "expected 1 to \(EventFilter.maximumCount) alternatives, found \(count)"
        )
    }

    static func invalidOptionalStep(funnel: String, step: String) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .invalidOptionalStep,
            funnel: funnel,
            step: step,
            "funnel '\(funnel)', step '\(step)', optional: the first and the last step must be met"
        )
    }

    static func tooManyOptionalSteps(funnel: String, step: String, _ count: Int) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .invalidOptionalStep,
            funnel: funnel,
            step: step,
            "funnel '\(funnel)', step '\(step)', optional: expected at most \(Funnel.maximumOptionalStepCount) "
                + "optional steps, found \(count)"
        )
    }

    static func invalidPartCount(funnel: String, count: Int) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .invalidBreakdown,
            funnel: funnel,
            "funnel '\(funnel)', breakdown: expected 1 to \(Breakdown.maximumPartCount) parts, found \(count)"
        )
    }

    static func invalidExperiment(funnel: String, _ mistake: String) -> FunnelDefinitionError {
        FunnelDefinitionError(.invalidExperiment, funnel: funnel, "funnel '\(funnel)', experiment: \(mistake)")
    }

    static func invalidDecimals(funnel: String, step: String, decimals: Int) -> FunnelDefinitionError {
        let range = Sum.decimalsRange
        return FunnelDefinitionError(
            .invalidDecimals,
            funnel: funnel,
            step: step,
            "funnel '\(funnel)', step '\(step)', decimals: expected \(range.lowerBound) to \(range.upperBound), "
                + "found \(decimals)"
        )
    }

    static func invalidBound(funnel: String, field: Field) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .invalidBound,
            funnel: funnel,
            "funnel '\(funnel)', condition on '\(field.path)': expected a number, found NaN"
        )
    }

    static func unknownTimeZone(_ name: String) -> FunnelDefinitionError {
        FunnelDefinitionError(
            .unknownTimeZone,
            funnel: "",
            "unknown time zone '\(name)': expected UTC or a name of the IANA time zone database, such as Europe/Berlin"
        )
    }
}

extension FunnelDefinitionError: CustomStringConvertible {
    /// The ``message``.
    public var description: String { message }
}
