import FlowEvents

extension Funnel {
    /// A short form of the definition for people: `installs within 30m: home (screen_view, screen home) > …`.
    public var summary: String {
        let breakdown = breakdown.map { ", by \($0.path)" } ?? ""
        return "\(count.rawValue) within \(DurationText.text(windowMilliseconds))\(breakdown): \(stepsSummary)"
    }

    /// A short form of the differences from an older definition: `window 30m, now 45m`. Empty where both count the
    /// same.
    public func changes(since old: Funnel) -> String {
        guard !countsLike(old) else { return "" }
        var parts: [String] = []
        func compare(_ name: String, _ before: String, _ now: String) {
            if before != now { parts.append("\(name) \(before), now \(now)") }
        }
        compare("count", old.count.rawValue, count.rawValue)
        compare("window", DurationText.text(old.windowMilliseconds), DurationText.text(windowMilliseconds))
        compare("breakdown", old.breakdown?.path ?? "none", breakdown?.path ?? "none")
        compare("steps", old.stepsSummary, stepsSummary)
        // Canonically equivalent texts look the same and differ in their bytes.
        return parts.isEmpty ? "in characters that look the same" : parts.joined(separator: ", ")
    }

    private var stepsSummary: String { steps.map(\.summary).joined(separator: " > ") }
}

extension Step {
    fileprivate var summary: String {
        "\(name) (\(([event] + conditions.map(\.summary)).joined(separator: ", ")))"
    }
}

extension Condition {
    fileprivate var summary: String {
        "\(field.path) \(values.map(\.summary).joined(separator: "/"))"
    }
}

extension PropertyValue {
    fileprivate var summary: String {
        switch self {
        case .string(let value): value
        case .number(let value): String(describing: value)
        case .bool(let value): String(value)
        }
    }
}
