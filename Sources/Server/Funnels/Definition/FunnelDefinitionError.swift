/// What is wrong with a funnel's definition.
public enum FunnelDefinitionError: Error, Sendable, Hashable {
    /// The name is empty or has a character other than letters, digits, `-`, `_` and `.`.
    case invalidName(String)
    /// The window is not more than 0, or longer than ``Funnel/maximumWindow``.
    case invalidWindow(funnel: String)
    /// There are no steps, or more than ``Funnel/maximumStepCount``.
    case invalidStepCount(funnel: String, count: Int)
    /// Two steps have one name.
    case duplicateStep(funnel: String, step: String)
    /// Two funnels of a set have one name.
    case duplicateFunnel(String)
}

extension FunnelDefinitionError: CustomStringConvertible {
    /// The mistake and what was expected, as a sentence for people.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "funnel name '\(name)': expected one or more of letters, digits, '-', '_' and '.'"
        case .invalidWindow(let funnel):
            "funnel '\(funnel)': expected a window of more than 0 and at most \(Funnel.maximumWindow / 86_400_000) days"
        case .invalidStepCount(let funnel, let count):
            "funnel '\(funnel)' has \(count) steps: expected 1 to \(Funnel.maximumStepCount)"
        case .duplicateStep(let funnel, let step):
            "funnel '\(funnel)' has two steps named '\(step)': expected unique names"
        case .duplicateFunnel(let name):
            "there are two funnels named '\(name)': expected unique names"
        }
    }
}
