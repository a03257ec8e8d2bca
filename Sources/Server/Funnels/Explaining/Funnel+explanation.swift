import FlowEvents

extension Funnel {
    /// The definition in sentences for people who have not written it.
    ///
    /// ```
    /// Of each presentation of a paywall with a screen_view where screen is "paywall" (paywall):
    ///   how many went on to a purchase (purchase) within 3 days,
    ///   unless a paywall_close where transition is "swipe_dismiss" came after paywall and before purchase.
    /// Counts also for each value that paywall_source has in the first step's event.
    /// ```
    public var explanation: String {
        var sentences = [question]
        if entry == .first {
            sentences.append("Only the first \(steps[0].name) of each \(actorNoun) counts, on whatever day it was.")
        }
        sentences += steps.filter(\.isOptional).map(\.optionalSentence)
        if let breakdown { sentences.append(sentence(on: breakdown)) }
        if let next {
            sentences.append(
                "Says of those who came no further where they went: to the \(next.field.path) of the next "
                    + "\(next.pattern.words) of the \(count == .sessions ? "session" : "install")."
            )
        }
        if let experiment {
            sentences.append("Compares the variants with \"\(experiment.control)\", on days that are settled.")
        }
        sentences += steps.compactMap(\.sumSentence)
        if case .by(let field) = count {
            sentences.append("Events without \(field.path) do not take part.")
        } else if count == .sessions {
            sentences.append("Events without a session do not take part.")
        }
        if timeZone != .utc { sentences.append("The days are those of \(timeZone.name).") }
        return sentences.joined(separator: "\n")
    }

    private var question: String {
        let rest = steps.dropFirst().filter { !$0.isOptional }.map(\.words)
        var lines = ["Of each \(actorNoun) with \(steps[0].words)"]
        if rest.isEmpty {
            lines = ["How many \(actorNouns) have \(steps[0].words)"]
        } else {
            lines[0] += ":"
            let order = rest.count == 1 ? rest[0] : rest.joined(separator: ",\n  then ") + ",\n "
            lines.append("  how many went on to \(order) within \(DurationText.words(windowMilliseconds))")
        }
        for exclusion in exclusions {
            lines[lines.count - 1] += ","
            let from = exclusion.from ?? steps[0].name
            let to = exclusion.to ?? steps[steps.count - 1].name
            let event = exclusion.alternatives.words
            lines.append("  unless \(event) came after \(from) and before \(to)")
        }
        return lines.joined(separator: "\n") + "."
    }

    private func sentence(on breakdown: Breakdown) -> String {
        let parts = breakdown.parts.map { part in
            let step = part.step.map { "the event of \($0)" } ?? "the first step's event"
            return "\(part.field.path) has in \(step)"
        }
        let value = parts.count == 1 ? "each value that" : "each combination of the values that"
        return "Counts also for \(value) \(parts.joined(separator: " and "))."
    }

    private var actorNoun: String {
        switch count {
        case .installs: "install"
        case .sessions: "session"
        case .by(.data("presentation_id")): "presentation of a paywall"
        case .by(let field): "\(field.path) of an install"
        }
    }

    private var actorNouns: String {
        switch count {
        case .installs: "installs"
        case .sessions: "sessions"
        case .by(.data("presentation_id")): "presentations of a paywall"
        case .by(let field): "values of \(field.path), of each install,"
        }
    }
}

extension Step {
    fileprivate var words: String { "\(alternatives.words) (\(name))" }

    fileprivate var optionalSentence: String {
        "Counts on the way who had \(words), and compares whether they went on."
    }

    fileprivate var sumSentence: String? {
        guard let sum else { return nil }
        let decimals =
            switch sum.decimals {
            case 0: "as whole numbers"
            case 1: "with 1 decimal"
            default: "with \(sum.decimals) decimals"
            }
        let unit = sum.unit.map { ", separately for each \($0.path)" } ?? ""
        return "Adds up \(sum.field.path) of \(name), \(decimals)\(unit)."
    }
}

extension [EventPattern] {
    /// The events in words: `a screen_view where screen is "home", or a purchase`.
    fileprivate var words: String {
        map { "\("aeiou".contains($0.event.first ?? " ") ? "an" : "a") \($0.words)" }.joined(separator: ", or ")
    }
}

extension EventPattern {
    /// The events in words, without an article: `screen_view where screen is "home"`.
    var words: String {
        conditions.isEmpty ? event : "\(event) where \(conditions.map(\.words).joined(separator: " and "))"
    }
}

extension Condition {
    fileprivate var words: String {
        switch test {
        case .isOneOf(let values): "\(field.path) is \(Self.words(values, "or"))"
        case .isNoneOf(let values): "\(field.path) is not \(Self.words(values, "or"))"
        case .exists(let value): "\(field.path) is \(value ? "present" : "absent")"
        case .greaterThan(let bound): "\(field.path) is more than \(Self.words(.number(bound)))"
        case .atLeast(let bound): "\(field.path) is at least \(Self.words(.number(bound)))"
        case .lessThan(let bound): "\(field.path) is less than \(Self.words(.number(bound)))"
        case .atMost(let bound): "\(field.path) is at most \(Self.words(.number(bound)))"
        case .hasPrefix(let text): "\(field.path) begins with \"\(text)\""
        case .contains(let text): "\(field.path) contains \"\(text)\""
        }
    }

    private static func words(_ values: [PropertyValue], _ conjunction: String) -> String {
        guard let last = values.last else { return "one of no values" }
        guard values.count > 1 else { return words(last) }
        return "\(values.dropLast().map { words($0) }.joined(separator: ", ")) \(conjunction) \(words(last))"
    }

    private static func words(_ value: PropertyValue) -> String {
        switch value.kind {
        case .string(let text): "\"\(text)\""
        case .number(let number): number.description
        case .bool(let value): String(value)
        }
    }
}

extension DurationText {
    /// A duration in words: `1 hour 30 minutes`.
    fileprivate static func words(_ milliseconds: Int64) -> String {
        let units: [(String, Int64)] = [
            ("day", 86_400_000), ("hour", 3_600_000), ("minute", 60000), ("second", 1000), ("millisecond", 1),
        ]
        var rest = milliseconds
        var parts: [String] = []
        for (name, size) in units where rest >= size {
            parts.append("\(rest / size) \(name)\(rest / size == 1 ? "" : "s")")
            rest %= size
        }
        return parts.joined(separator: " ")
    }
}
