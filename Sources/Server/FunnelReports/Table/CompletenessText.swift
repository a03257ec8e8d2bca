import FlowEvents
import Funnels

/// The text about missing events in a report for people.
enum CompletenessText {
    /// The lines with the counts of expected, received, missing and dropped events, of unchecked installs, and of offsets
    /// without a record in a compacted topic.
    static func lines(_ quality: Quality) -> [String] {
        let completeness = quality.completeness
        var lines: [String] = []
        if completeness.expected == 0, completeness.unchecked == 0 {
            lines.append("no events are numbered: what is missing is not known")
        } else {
            lines.append(
                "\(HumanText.count(completeness.expected)) expected by their numbers: "
                    + "\(HumanText.count(completeness.received)) received, "
                    + "\(HumanText.count(completeness.missing)) missing"
            )
        }
        if completeness.dropped.total > 0 { lines.append(reasons(completeness)) }
        if completeness.unchecked > 0 {
            lines.append("\(HumanText.count(completeness.unchecked, "install")) left out: the numbers make no sense")
        }
        if quality.compacted > 0 {
            lines.append(
                "\(HumanText.count(quality.compacted, "offset")) without a record: the topic is compacted, which deletes events"
            )
        }
        return lines
    }

    private static func reasons(_ completeness: Completeness) -> String {
        let dropped = completeness.dropped
        let causes = DropCause.allCases.filter { dropped[$0] > 0 }
            .map { "\(HumanText.count(dropped[$0])) \(words(for: $0))" }
        let rest = HumanText.count(completeness.missing - dropped.total)
        return "of the missing, the apps dropped \(causes.joined(separator: ", ")); \(rest) not explained"
    }

    private static func words(for cause: DropCause) -> String {
        switch cause {
        case .queueFull: "(queue full)"
        case .expired: "(too old)"
        case .notStored: "(could not be stored)"
        case .rejected: "(refused)"
        case .other: "(other reasons)"
        }
    }
}
