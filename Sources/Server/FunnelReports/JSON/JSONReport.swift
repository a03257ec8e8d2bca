import FlowEvents
import Funnels

/// Writes a report as JSON. The order of keys is fixed, so that equal reports have equal bytes.
package enum JSONReport {
    /// Writes a report as indented JSON that ends with a line feed.
    package static func render(_ report: FunnelReport) -> String {
        let quality = report.quality
        var members: [(key: String, value: JSONNode)] = [
            ("funnels", .array(report.funnels.map(funnel))),
            ("quality", .object(Self.members(of: quality))),
        ]
        // First, because the figures are not whole then. Most reports do not have it.
        if !report.unreadPartitions.isEmpty {
            members.insert(("unread_partitions", .array(report.unreadPartitions.map(unread))), at: 0)
        }
        let value = JSONNode.object(members)
        var output = ""
        value.write(to: &output)
        return output + "\n"
    }

    private static func unread(_ partition: UnreadPartition) -> JSONNode {
        .object(
            [
                ("partition", .integer(Int64(partition.partition))),
                ("read_at", .optional(partition.readAt?.description)),
            ]
                + store(partition.store)
        )
    }

    // Only the report of several stores names them.
    private static func store(_ name: String?) -> [(key: String, value: JSONNode)] {
        name.map { [("store", .string($0))] } ?? []
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
        if quality.compacted != 0 { members.append(("compacted", .integer(quality.compacted))) }
        if completeness.unchecked != 0 { members.append(("unchecked_installs", .integer(completeness.unchecked))) }
        if quality.erasedInstalls != 0 { members.append(("erased_installs", .integer(quality.erasedInstalls))) }
        return members
    }

    private static func funnel(_ result: FunnelResult) -> JSONNode {
        var members: [(key: String, value: JSONNode)] = [
            ("name", .string(result.funnel.name)),
            ("count", Self.count(result.funnel.count)),
            ("window_seconds", .literal(seconds(result.funnel.windowMilliseconds))),
        ]
        if let zone = result.timeZone { members.append(("timezone", .string(zone))) }
        members += [("from", .optional(result.from?.description)), ("to", .optional(result.to?.description))]
        // Most funnels have all events and no such members.
        if let day = result.completeFrom { members.append(("complete_from", .string(day.description))) }
        if let day = result.firstKnownFrom { members.append(("first_known_from", .string(day.description))) }
        members += Self.members(of: result.states)
        members.append(("steps", .array(result.steps.map(step))))
        if let entries = result.entries {
            let counts = zip(EntryCounts.captions, entries.counts).map { (key: $0, value: JSONNode.integer($1)) }
            members.append(("entries", .object(counts)))
        }
        if result.valuesLeftOut != 0 { members.append(("values_left_out", .integer(result.valuesLeftOut))) }
        if let breakdown = result.breakdown {
            let values = breakdown.map { part in
                JSONNode.object([("value", .value(part.value)), ("steps", .array(part.steps.map(step)))])
            }
            members.append(("breakdown", .array(values)))
        }
        if let experiment = result.experiment { members.append(("experiment", .experiment(experiment))) }
        if let trend = result.trend { members.append(("trend", .array(trend.map(bucket)))) }
        if let comparison = result.comparison { members.append(("comparison", Self.comparison(comparison))) }
        return .object(members)
    }

    private static func members(of states: DayStates) -> [(key: String, value: JSONNode)] {
        var members: [(key: String, value: JSONNode)] = [
            ("settled_to", .optional(states.settledTo?.description)),
            ("final_to", .optional(states.finalTo?.description)),
        ]
        guard let held = states.heldBackBy else { return members }
        let parts = [("settled", held.settled), ("final", held.final)].compactMap { key, partition in
            partition.map { partition in
                (
                    key: key,
                    value: JSONNode.object(
                        [
                            ("partition", .integer(partition.partition)),
                            ("time", .optional(partition.time?.description)),
                        ] + Self.store(partition.store)
                    )
                )
            }
        }
        members.append(("held_back_by", .object(parts)))
        return members
    }

    private static func bucket(_ bucket: TrendBucket) -> JSONNode {
        .object([
            ("from", .string(bucket.from.description)),
            ("to", .string(bucket.to.description)),
            ("state", .string(bucket.state.rawValue)),
            ("steps", .array(bucket.steps.map(step))),
        ])
    }

    private static func comparison(_ comparison: FunnelComparison) -> JSONNode {
        let steps = comparison.steps.map { step in
            JSONNode.object([
                ("count", .integer(step.count)),
                ("conversion_from_first", .ratio(step.conversionFromFirst)),
                ("difference", .ratio(step.difference)),
                ("difference_interval", .interval(step.differenceInterval)),
            ])
        }
        return .object([
            ("from", .string(comparison.from.description)),
            ("to", .string(comparison.to.description)),
            ("steps", .array(steps)),
        ])
    }

    private static func step(_ step: StepResult) -> JSONNode {
        var members: [(key: String, value: JSONNode)] = [
            ("name", .string(step.name)),
            ("count", .integer(step.count)),
            ("conversion_from_first", .ratio(step.conversionFromFirst)),
            ("conversion_from_previous", .ratio(step.conversionFromPrevious)),
            ("conversion_from_first_interval", .interval(step.conversionFromFirstInterval)),
            ("conversion_from_previous_interval", .interval(step.conversionFromPreviousInterval)),
            ("median_ms_from_first", .integer(step.medianFromFirst)),
            ("median_ms_from_previous", .integer(step.medianFromPrevious)),
        ]
        if step.isOptional { members.append(("optional", .literal("true"))) }
        if let next = step.nextStep { members.append(("next_step", .nextStep(next))) }
        if let next = step.next {
            members.append(("next", .places(next.places)))
            if next.leftOutCount != 0 { members.append(("next_left_out", .integer(next.leftOutCount))) }
        }
        if let excluded = step.excluded { members.append(("excluded", .integer(excluded))) }
        if let sums = step.sums { members.append(("sums", Self.sums(sums))) }
        if let times = step.times {
            let parts: [(key: String, value: JSONNode)] = [
                ("from_first", distribution(times.fromFirst)), ("from_previous", distribution(times.fromPrevious)),
            ]
            members.append(("times", .object(parts)))
        }
        return .object(members)
    }

    private static func count(_ count: Counting) -> JSONNode {
        if case .by(let field) = count { .object([("by", .string(field.path))]) } else { .string(count.description) }
    }

    private static func sums(_ sums: StepSums) -> JSONNode {
        let units = sums.units.map { unit in
            JSONNode.object([
                ("unit", .string(unit.unit)), ("sum", .integer(unit.sum)), ("count", .integer(unit.count)),
                ("per_actor", .decimal(unit.perActor?.mean)),
                ("per_actor_interval", .decimals(unit.perActor?.interval)),
            ])
        }
        return .object([
            ("decimals", .integer(sums.decimals)), ("without", .integer(sums.without)), ("units", .array(units)),
        ])
    }

    private static func distribution(_ times: TimeDistribution) -> JSONNode {
        let percentiles = zip(TimeDistribution.percents, times.percentiles)
            .map { (key: "p\($0)", value: JSONNode.integer($1)) }
        let buckets = times.histogram.map { bucket in
            JSONNode.object([
                ("from_ms", .integer(bucket.from)), ("to_ms", .integer(bucket.to)), ("count", .integer(bucket.count)),
            ])
        }
        return .object(percentiles + [(key: "histogram", value: .array(buckets))])
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
