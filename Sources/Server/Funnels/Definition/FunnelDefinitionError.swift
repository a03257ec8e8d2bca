/// A mistake in the definition of a funnel.
public struct FunnelDefinitionError: Error, Sendable, Hashable {
    /// The kinds of mistakes. New kinds may be added.
    public struct Code: Sendable, Hashable {
        private enum Value {
            case invalidName
            case invalidWindow
            case invalidStepCount
            case duplicateStep
        }

        private let value: Value

        /// The name is empty or has a character other than letters, digits, `-`, `_` and `.`.
        public static let invalidName = Code(value: .invalidName)
        /// The window is less than 1 millisecond or more than 100,000 days.
        public static let invalidWindow = Code(value: .invalidWindow)
        /// There are no steps, or more than ``Funnel/maximumStepCount``.
        public static let invalidStepCount = Code(value: .invalidStepCount)
        /// Two steps have the same name.
        public static let duplicateStep = Code(value: .duplicateStep)
    }

    /// The kind of mistake.
    public let code: Code
    /// The name of the funnel.
    public let funnel: String
    /// The name of the step, for a mistake in a step.
    public let step: String?
    /// The mistake and what was expected, as a sentence for people.
    public let message: String

    private init(_ code: Code, funnel: String, step: String? = nil, _ message: String) {
        self.code = code
        self.funnel = funnel
        self.step = step
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
}

extension FunnelDefinitionError: CustomStringConvertible {
    /// The ``message``.
    public var description: String { message }
}
