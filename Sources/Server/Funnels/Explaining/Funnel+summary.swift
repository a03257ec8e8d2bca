import FlowEvents

extension Funnel {
    /// A short form of the definition for people: `installs within 30m: home (screen_view where screen is "home") > …`.
    public var summary: String {
        var parts = ["\(count) within \(DurationText.text(windowMilliseconds))"]
        if entry == .first { parts.append("first entries") }
        if let breakdown { parts.append("broken down by \(breakdown.summary)") }
        if timeZone != .utc { parts.append("days of \(timeZone.name)") }
        if !exclusions.isEmpty { parts.append("without \(exclusionsSummary)") }
        if let next { parts.append("next \(next.summary)") }
        if let experiment { parts.append("experiment with \(experiment.summary)") }
        return "\(parts.joined(separator: ", ")): \(stepsSummary)"
    }

    /// A short form of the differences from an older definition: `window 30m, now 45m`. Empty where both count the
    /// same.
    public func changes(since old: Funnel) -> String {
        guard !countsLike(old) else { return "" }
        var parts: [String] = []
        func compare(_ name: String, _ before: String, _ now: String) {
            if before != now { parts.append("\(name) \(before), now \(now)") }
        }
        compare("count", old.count.description, count.description)
        compare("entry", old.entry.rawValue, entry.rawValue)
        compare("window", DurationText.text(old.windowMilliseconds), DurationText.text(windowMilliseconds))
        compare("breakdown", old.breakdown?.summary ?? "none", breakdown?.summary ?? "none")
        compare("time zone", old.timeZone.name, timeZone.name)
        compare("exclude", old.exclusionsSummary, exclusionsSummary)
        compare("next", old.next?.summary ?? "none", next?.summary ?? "none")
        compare("steps", old.stepsSummary, stepsSummary)
        // Canonically equivalent texts look the same and differ in their bytes.
        return parts.isEmpty ? "in characters that look the same" : parts.joined(separator: ", ")
    }

    private var stepsSummary: String { steps.map(\.summary).joined(separator: " > ") }

    private var exclusionsSummary: String {
        guard !exclusions.isEmpty else { return "none" }
        return exclusions.map { exclusion in
            let from = exclusion.from ?? steps[0].name
            let to = exclusion.to ?? steps[steps.count - 1].name
            return "\(exclusion.alternatives.summary) from \(from) to \(to)"
        }.joined(separator: "; ")
    }
}

extension Step {
    fileprivate var summary: String {
        var parts = [alternatives.summary]
        if let sum {
            let unit = sum.unit.map { " in \($0.path)" } ?? ""
            parts.append("sum of \(sum.field.path) with \(sum.decimals) decimals\(unit)")
        }
        return "\(name) (\(parts.joined(separator: ", ")))\(isOptional ? "?" : "")"
    }
}

extension [EventPattern] {
    fileprivate var summary: String { map(\.words).joined(separator: " or ") }
}

extension Breakdown {
    /// The parts for people: `paywall_source and properties.plan of bought`.
    package var summary: String {
        parts.map { part in part.field.path + (part.step.map { " of \($0)" } ?? "") }.joined(separator: " and ")
    }
}

extension NextEvent {
    fileprivate var summary: String { "\(field.path) of \(pattern.words)" }
}

extension Experiment {
    fileprivate var summary: String {
        let shares = shares.map { "\($0.value) \(PropertyNumber($0.weight))" }.joined(separator: " : ")
        return "control \(control)" + (shares.isEmpty ? "" : ", shares \(shares)")
    }
}
