import FlowEvents
import Funnels

/// Checks that a conversion lies within bounds, on settled days only.
///
/// ```swift
/// let check = ConversionCheck(step: "purchase", minimum: 0.1)
/// let outcome = try check.outcome(of: report.funnels[0], at: now, timeZones)
/// ```
package struct ConversionCheck: Sendable, Hashable {
    /// The step whose conversion is checked.
    package var step: String
    /// The step that it is compared with; the first one where it is `nil`.
    package var base: String?
    /// The least conversion, included; `nil` for no bound.
    package var minimum: Double?
    /// The greatest conversion, included; `nil` for no bound.
    package var maximum: Double?
    /// The greatest age of the newest settled day, from its end on, in milliseconds; the window and 3 days where it is
    /// `nil`.
    package var maximumAge: Int64?

    /// Creates a check.
    package init(
        step: String,
        base: String? = nil,
        minimum: Double? = nil,
        maximum: Double? = nil,
        maximumAge: Int64? = nil
    ) {
        self.step = step
        self.base = base
        self.minimum = minimum
        self.maximum = maximum
        self.maximumAge = maximumAge
    }

    /// The result of a check, with a sentence for people.
    package enum Outcome: Sendable, Hashable {
        /// The conversion lies within the bounds.
        case within(String)
        /// The conversion lies outside the bounds.
        case outside(String)
        /// There is too little data, or it is too old.
        case undecided(String)
    }

    /// Returns the indexes of the two steps.
    ///
    /// - Throws: ``ConversionCheckError`` where the funnel has no such steps, the step is not after the other, or nobody
    ///   counts the one of the other: of an optional step, only those are counted who met the required step behind it.
    package func indexes(in funnel: Funnel) throws(ConversionCheckError) -> (step: Int, base: Int) {
        func index(_ name: String) throws(ConversionCheckError) -> Int {
            guard let index = funnel.steps.firstIndex(where: { $0.name == name }) else {
                throw .unknownStep(name, known: funnel.steps.map(\.name))
            }
            return index
        }
        let indexes = (step: try index(step), base: try base.map(index) ?? 0)
        guard indexes.base < indexes.step else { throw .stepNotAfter(step, funnel.steps[indexes.base].name) }
        if funnel.steps[indexes.base].isOptional,
            let next = funnel.steps.indices.first(where: { $0 > indexes.base && !funnel.steps[$0].isOptional }),
            next != indexes.step
        {
            throw .optionalBase(funnel.steps[indexes.base].name, next: funnel.steps[next].name)
        }
        return indexes
    }

    /// Checks a report that leaves out open days.
    ///
    /// - Parameters:
    ///   - result: the report of the funnel.
    ///   - now: the current time.
    ///   - timeZones: the store's time zones, by which the days end.
    /// - Throws: ``ConversionCheckError``.
    package func outcome(
        of result: FunnelResult,
        at now: Timestamp,
        _ timeZones: TimeZoneTables
    ) throws(ConversionCheckError) -> Outcome {
        let (step, base) = try indexes(in: result.funnel)
        guard let settled = result.states.settledTo else { return .undecided("no day is settled yet") }
        let age = now.milliseconds - timeZones.table(of: result.funnel).end(of: settled).milliseconds
        let maximumAge = maximumAge ?? result.funnel.windowMilliseconds + 3 * 86_400_000
        guard age <= maximumAge else {
            let held = FunnelWords.states(result.states) ?? ""
            return .undecided("the newest settled day ended \(HumanText.duration(age)) ago: \(held)")
        }
        // Not all that met the step behind an optional one had met the optional one.
        let with = result.steps[base].nextStep?.with
        let (count, total) = (with?.count ?? result.steps[step].count, with?.of ?? result.steps[base].count)
        let actors = FunnelWords.actors(result.funnel)
        let days = FunnelWords.range(result)
        guard total >= ScoreInterval.leastCount else {
            return .undecided("too few to say: \(HumanText.count(total)) \(actors), \(days)")
        }
        let names = (result.funnel.steps[step].name, result.funnel.steps[base].name)
        let conversion = Double(count) / Double(total)
        let isWithin = conversion >= minimum ?? 0 && conversion <= maximum ?? 1
        let bounds = [minimum.map { "at least \($0)" }, maximum.map { "at most \($0)" }].compactMap { $0 }
        let expectation =
            bounds.isEmpty ? "" : isWithin ? ", as expected" : ", expected \(bounds.joined(separator: " and "))"
        let sentence =
            "\(TerminalText.visible(names.0)) of \(TerminalText.visible(names.1)) is "
            + "\(Ratio(count, of: total)?.description ?? "") (\(HumanText.count(count)) of \(HumanText.count(total)) "
            + "\(actors))\(expectation), \(days)"
        return isWithin ? .within(sentence) : .outside(sentence)
    }
}

/// A check names steps that its funnel does not have in that order.
package enum ConversionCheckError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The funnel has no such step.
    case unknownStep(String, known: [String])
    /// The step does not come after the other.
    case stepNotAfter(String, String)
    /// The other step is optional, and the step is not the required one behind it.
    case optionalBase(String, next: String)

    /// The mistake as a sentence for people.
    package var description: String {
        switch self {
        case .unknownStep(let name, let known):
            "there is no step '\(TerminalText.visible(name))': the funnel has "
                + known.map(TerminalText.visible).joined(separator: ", ")
        case .stepNotAfter(let step, let base):
            "the step '\(TerminalText.visible(step))' does not come after '\(TerminalText.visible(base))'"
        case .optionalBase(let base, let next):
            "the step '\(TerminalText.visible(base))' is optional: of it, only the conversion to the step behind it is "
                + "known; check '\(TerminalText.visible(next))' of it, or leave out --of"
        }
    }
}
