import FlowEvents

extension Funnel {
    /// A short form of the definition for people: `installs within 30m: home (screen_view, screen home) > …`.
    public var summary: String {
        var parts = ["\(count) within \(DurationText.text(windowMilliseconds))"]
        if entry == .first { parts.append("first entries") }
        if let breakdown { parts.append("broken down by \(breakdown.path)") }
        if timeZone != .utc { parts.append("days of \(timeZone.name)") }
        if !exclusions.isEmpty { parts.append("without \(exclusionsSummary)") }
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
        compare("breakdown", old.breakdown?.path ?? "none", breakdown?.path ?? "none")
        compare("time zone", old.timeZone.name, timeZone.name)
        compare("exclude", old.exclusionsSummary, exclusionsSummary)
        compare("steps", old.stepsSummary, stepsSummary)
        // Canonically equivalent texts look the same and differ in their bytes.
        return parts.isEmpty ? "in characters that look the same" : parts.joined(separator: ", ")
    }

    private var stepsSummary: String { steps.map(\.summary).joined(separator: " > ") }

    private var exclusionsSummary: String {
        guard !exclusions.isEmpty else { return "none" }
        return exclusions.map { exclusion in
            let parts = [exclusion.event] + exclusion.conditions.map(\.summary)
            let from = exclusion.from ?? steps[0].name
            let to = exclusion.to ?? steps[steps.count - 1].name
            return "\(parts.joined(separator: ", ")) from \(from) to \(to)"
        }.joined(separator: "; ")
    }
}

extension Step {
    fileprivate var summary: String {
        var parts = [event] + conditions.map(\.summary)
        if let sum {
            let unit = sum.unit.map { " in \($0.path)" } ?? ""
            parts.append("sum of \(sum.field.path) with \(sum.decimals) decimals\(unit)")
        }
        return "\(name) (\(parts.joined(separator: ", ")))"
    }
}

extension Condition {
    fileprivate var summary: String { "\(field.path) \(test.summary)" }
}

extension Condition.Test {
    fileprivate var summary: String {
        switch self {
        case .isOneOf(let values): values.map(\.summary).joined(separator: "/")
        case .isNoneOf(let values): "not \(values.map(\.summary).joined(separator: "/"))"
        case .exists(let value): value ? "present" : "absent"
        case .greaterThan(let bound): "> \(PropertyValue.number(bound).summary)"
        case .atLeast(let bound): ">= \(PropertyValue.number(bound).summary)"
        case .lessThan(let bound): "< \(PropertyValue.number(bound).summary)"
        case .atMost(let bound): "<= \(PropertyValue.number(bound).summary)"
        case .hasPrefix(let text): "prefix \(text)"
        case .contains(let text): "contains \(text)"
        }
    }
}

extension PropertyValue {
    fileprivate var summary: String {
        switch self {
        case .string(let value): value
        case .number(let value): value.description
        case .bool(let value): String(value)
        }
    }
}
