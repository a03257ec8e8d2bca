import FlowEvents

/// Which actors to list: those of one count of a report, or those that did not come so far.
///
/// ```swift
/// let query = try ActorQuery(funnel: "home-to-paywall", step: "paywall", .dropped, in: funnels)
/// var search = ActorSearch(query, funnels: funnels, timeZones: timeZones, in: DayRange(first, last))
/// try audit.forEachInstall { row in for actor in try search.actors(of: row) { print(actor.install) } }
/// ```
package struct ActorQuery: Sendable, Hashable {
    /// Which of the actors of a step.
    package enum Kind: Sendable, Hashable {
        /// Those that the step's count counts.
        case reached
        /// Those that the count of the required step before it counts, and the step's does not.
        case dropped
    }

    /// The index of the funnel.
    package let funnel: Int
    /// The index of the step.
    package let step: Int
    /// Which of the step's actors.
    package let kind: Kind
    /// The breakdown value as a store keeps it; `nil` for all actors.
    let value: [UInt8]?

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - name: the funnel's name.
    ///   - stepName: the step's name.
    ///   - kind: which of the step's actors.
    ///   - texts: the breakdown value, a text for each part of the breakdown; empty for all actors.
    ///   - funnels: the funnels of the store, among which there is one of this name.
    /// - Throws: ``ActorQueryError``.
    package init(
        funnel name: String,
        step stepName: String,
        _ kind: Kind,
        value texts: [String] = [],
        in funnels: [Funnel]
    ) throws(ActorQueryError) {
        guard let index = funnels.firstIndex(where: { $0.name == name }) else { throw .unknownFunnel(name) }
        let funnel = funnels[index]
        guard let step = funnel.steps.firstIndex(where: { $0.name == stepName }) else {
            throw .unknownStep(stepName, funnel: name, known: funnel.steps.map(\.name))
        }
        if kind == .dropped, step == 0 { throw .nobodyBefore(step: stepName, funnel: name) }
        self.funnel = index
        self.step = step
        self.kind = kind
        guard !texts.isEmpty else {
            value = nil
            return
        }
        guard let breakdown = funnel.breakdown else { throw .noBreakdown(funnel: name) }
        guard texts.count == breakdown.parts.count else {
            throw .wrongPartCount(texts.count, expected: breakdown.parts.map(\.field.path), funnel: name)
        }
        value = breakdown.isList ? JSONTextList.encode(texts) : Array(texts[0].utf8)
    }

    /// The figure that the number of actors must be.
    ///
    /// - Parameter result: the report of the same funnel and days.
    /// - Returns: `nil` where the report leaves the breakdown value out.
    package func figure(in result: FunnelResult) -> Int? {
        var steps = result.steps
        if let value {
            let shown = result.breakdown?.first { $0.value == result.funnel.breakdownValue(value) }
            guard let shown else { return result.valuesLeftOut == 0 ? 0 : nil }
            steps = shown.steps
        }
        switch kind {
        case .reached: return steps[step].count
        case .dropped: return steps[result.funnel.previousRequired(step)].count - steps[step].count
        }
    }
}

/// A mistake in a query of actors.
package enum ActorQueryError: Error, Sendable, Hashable {
    /// The store counts no funnel of this name.
    case unknownFunnel(String)
    /// The funnel has no such step.
    case unknownStep(String, funnel: String, known: [String])
    /// Nobody can drop before the first step.
    case nobodyBefore(step: String, funnel: String)
    /// The funnel has no breakdown.
    case noBreakdown(funnel: String)
    /// A value has another number of parts than the breakdown.
    case wrongPartCount(Int, expected: [String], funnel: String)
}

extension ActorQueryError: CustomStringConvertible {
    /// The mistake and the way out, in a sentence.
    package var description: String {
        switch self {
        case .unknownFunnel(let name): "the store counts no funnel '\(name)'"
        case .unknownStep(let step, let funnel, let known):
            "the funnel '\(funnel)' has no step '\(step)': its steps are \(known.map { "'\($0)'" }.joined(separator: ", "))"
        case .nobodyBefore(let step, let funnel):
            "'\(step)' is the first step of '\(funnel)', and nobody drops before it: name a later step, or ask for --reached"
        case .noBreakdown(let funnel): "the funnel '\(funnel)' has no breakdown, and so no values: leave --value out"
        case .wrongPartCount(let count, let expected, let funnel):
            "--value has \(count) text\(count == 1 ? "" : "s"), and the breakdown of '\(funnel)' \(expected.count): "
                + expected.joined(separator: ", ")
        }
    }
}
