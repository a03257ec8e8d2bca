import FlowEvents
import Funnels

/// Writes a report as JSON by the contract. The order of keys is fixed, so that equal reports have equal bytes.
package enum JSONReport {
    /// Writes a report as indented JSON that ends with a line feed.
    package static func render(_ report: FunnelReport) -> String {
        let quality = report.quality
        let value = JSONNode.object([
            ("funnels", .array(report.funnels.map(funnel))),
            ("quality", .object(members(of: quality))),
        ])
        var output = ""
        value.write(to: &output)
        return output + "\n"
    }

    private static func members(of quality: Quality) -> [(key: String, value: JSONNode)] {
        let completeness = quality.completeness
        var members: [(key: String, value: JSONNode)] = [
            ("events", .integer(quality.events)),
            ("duplicates", .integer(quality.duplicates)),
            ("late", .integer(quality.late)),
            ("dead_letters", .integer(quality.deadLetters)),
            ("expected", .integer(completeness.expected)),
            ("missing", .integer(completeness.missing)),
            ("unread", .integer(quality.unread)),
            ("capped", .integer(quality.capped)),
        ]
        // Rare counts are written only where they are not 0.
        let dropped = DropCause.allCases.filter { completeness.dropped[$0] != 0 }
        if !dropped.isEmpty {
            let counts = dropped.map { (key: $0.rawValue, value: JSONNode.integer(completeness.dropped[$0])) }
            members.append(("dropped", .object(counts)))
        }
        if completeness.unchecked != 0 { members.append(("unchecked_installs", .integer(completeness.unchecked))) }
        return members
    }

    private static func funnel(_ result: FunnelResult) -> JSONNode {
        var members: [(key: String, value: JSONNode)] = [
            ("name", .string(result.funnel.name)),
            ("count", .string(result.funnel.count.rawValue)),
            ("window_seconds", .literal(seconds(result.funnel.windowMilliseconds))),
            ("from", .optional(result.from?.description)),
            ("to", .optional(result.to?.description)),
        ]
        // Most funnels have all events and no such member.
        if let day = result.completeFrom { members.append(("complete_from", .string(day.description))) }
        members.append(("steps", .array(result.steps.map(step))))
        if result.valuesLeftOut != 0 { members.append(("values_left_out", .integer(result.valuesLeftOut))) }
        if let breakdown = result.breakdown {
            let values = breakdown.map { part in
                JSONNode.object([("value", .string(part.value)), ("steps", .array(part.steps.map(step)))])
            }
            members.append(("breakdown", .array(values)))
        }
        return .object(members)
    }

    private static func step(_ step: StepResult) -> JSONNode {
        .object([
            ("name", .string(step.name)),
            ("count", .integer(step.count)),
            ("conversion_from_first", .literal(step.conversionFromFirst?.description ?? "null")),
            ("conversion_from_previous", .literal(step.conversionFromPrevious?.description ?? "null")),
            ("median_ms_from_first", .integer(step.medianFromFirst)),
            ("median_ms_from_previous", .integer(step.medianFromPrevious)),
        ])
    }

    /// Milliseconds as seconds in the shortest form: `1800`, `0.5`.
    static func seconds(_ milliseconds: Int64) -> String {
        let (whole, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        guard fraction > 0 else { return "\(whole)" }
        var digits = String(String(fraction + 1000).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
