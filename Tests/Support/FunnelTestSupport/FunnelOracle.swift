import FlowEvents
import Foundation
import Funnels

/// Counts funnels by brute force, for comparison with the engine.
///
/// It follows `semantics.md` rule by rule and shares only input and output values with the engine. It is slow, so that
/// it is easy to check.
package struct FunnelOracle {
    /// One record of the stream. The records of a partition are in order.
    package struct Record: Sendable {
        package var event: Event
        package var partition: Int32
        /// The timestamp of the Kafka record; `nil` if it has none.
        package var timestamp: Timestamp?

        package init(_ event: Event, partition: Int32 = 0, timestamp: Timestamp? = nil) {
            self.event = event
            self.partition = partition
            self.timestamp = timestamp
        }
    }

    private let funnels: [Funnel]
    private var quality = Quality()
    // The events that take part in a funnel, without repeats.
    private var events: [Event] = []

    /// - Parameter evidenceLimit: the greatest number of distinct events of an install that take part, within the UTC
    ///   days that the lateness and the longest window can touch. An install with more events leaves all funnels.
    /// - Parameter evidenceByteLimit: the greatest number of bytes of text in these events.
    package init(
        funnels: [Funnel],
        records: [Record],
        allowedLateness: Int64 = .max,
        evidenceLimit: Int = 100_000,
        evidenceByteLimit: Int = .max
    ) {
        self.funnels = funnels
        var watermarks: [Int32: Int64] = [:]
        var completeness = CompletenessOracle()
        var seen: Set<[String]> = []
        for record in records {
            let event = record.event
            quality.events += 1
            completeness.add(event)
            // Rule 10.
            let watermark = watermarks[record.partition]
            let bounded = min(event.time.milliseconds, record.timestamp?.milliseconds ?? .max)
            watermarks[record.partition] = max(watermark ?? .min, bounded)
            if let watermark,
                event.time.milliseconds < watermark.subtractingReportingOverflow(allowedLateness).partialValue,
                allowedLateness != .max
            {
                quality.late += 1
                continue
            }
            guard funnels.contains(where: { Self.isPart(event, of: $0) }) else { continue }
            // Rule 9.
            if seen.insert([event.installID, event.source, event.id]).inserted {
                events.append(event)
            } else {
                quality.duplicates += 1
            }
        }
        quality.completeness = completeness.sum
        leaveOut(above: evidenceLimit, evidenceByteLimit, allowedLateness)
    }

    // Rule 19.
    private mutating func leaveOut(above limit: Int, _ byteLimit: Int, _ allowedLateness: Int64) {
        let window = funnels.map(\.windowMilliseconds).max() ?? 0
        let dayCount = allowedLateness == .max ? Int64.max : (allowedLateness + window) / 86_400_000 + 2
        for (install, events) in Dictionary(grouping: events, by: \.installID) {
            let days = events.map { Int64(Day(containing: $0.time).number) }
            let byteCounts = events.map { textByteCount($0) }
            let isAbove = Set(days).contains { first in
                let span = zip(days, byteCounts).filter { $0.0 >= first && $0.0 - first < dayCount }
                return span.count > limit || span.reduce(0) { $0 + $1.1 } > byteLimit
            }
            guard isAbove else { continue }
            self.events.removeAll { $0.installID == install }
            quality.capped += 1
        }
    }

    private func textByteCount(_ event: Event) -> Int {
        let isUUID = UUID(uuidString: event.id)?.uuidString.lowercased() == event.id
        let values = funnels.filter { funnel in
            Self.isPart(event, of: funnel) && Self.matches(event, of: funnel).contains(0) && funnel.breakdown != nil
        }
        return (isUUID ? 0 : event.id.utf8.count) + event.source.utf8.count + (event.sessionID ?? "").utf8.count
            + values.reduce(0) { sum, funnel in
                sum + (funnel.breakdown.map { Self.text(Self.value(of: $0, in: event)).utf8.count } ?? 0)
            }
    }

    /// - Parameters:
    ///   - valueLimit: the greatest number of values of a breakdown.
    ///   - hasTimes: whether the steps have the distribution of their times.
    package func report(
        from: Day? = nil,
        to: Day? = nil,
        valueLimit: Int = 1000,
        hasTimes: Bool = false
    ) -> FunnelReport {
        FunnelReport(
            funnels: funnels.map { funnel in
                let attempts = self.attempts(of: funnel).filter { attempt in
                    from.map { $0 <= attempt.day } ?? true && to.map { attempt.day <= $0 } ?? true
                }
                var breakdown: [BreakdownResult]?
                var valuesLeftOut = 0
                if funnel.breakdown != nil {
                    // Rule 7.
                    breakdown = Dictionary(grouping: attempts, by: \.value)
                        .sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
                        .map {
                            BreakdownResult(
                                value: $0.key,
                                steps: Self.results(of: funnel, attempts: $0.value, hasTimes)
                            )
                        }
                    (breakdown, valuesLeftOut) = Self.largest(valueLimit, of: breakdown ?? [])
                }
                return FunnelResult(
                    funnel: funnel,
                    from: from,
                    to: to,
                    steps: Self.results(of: funnel, attempts: attempts, hasTimes),
                    breakdown: breakdown,
                    valuesLeftOut: valuesLeftOut
                )
            },
            quality: quality
        )
    }

    // The values have different bytes and are in their order.
    private static func largest(_ limit: Int, of values: [BreakdownResult]) -> ([BreakdownResult], Int) {
        let ranked = values.indices.sorted { lhs, rhs in
            (values[rhs].steps[0].count, lhs) < (values[lhs].steps[0].count, rhs)
        }
        return (ranked.prefix(limit).sorted().map { values[$0] }, max(0, values.count - limit))
    }

    private struct Attempt {
        var actor: [String]
        // The index of its first event among the actor's events, in the order of rule 3.
        var order: Int
        var day: Day
        var value: String
        var times: [Int64]
    }

    private func attempts(of funnel: Funnel) -> [Attempt] {
        // Rule 2.
        let actors = Dictionary(grouping: events.filter { Self.isPart($0, of: funnel) }) { event in
            funnel.count == .installs ? [event.installID] : [event.installID, event.sessionID ?? ""]
        }
        return actors.flatMap { actor, events in
            // Rule 3.
            let ordered = events.sorted { lhs, rhs in
                func key(_ event: Event) -> [Int64] {
                    [event.time.milliseconds, event.sequence ?? 0, Int64(Self.matches(event, of: funnel).min() ?? 0)]
                }
                if key(lhs) != key(rhs) { return key(lhs).lexicographicallyPrecedes(key(rhs)) }
                if lhs.id != rhs.id { return Array(lhs.id.utf8).lexicographicallyPrecedes(Array(rhs.id.utf8)) }
                return Array(lhs.source.utf8).lexicographicallyPrecedes(Array(rhs.source.utf8))
            }
            return ordered.indices.compactMap { first -> Attempt? in
                // Rule 4.
                guard Self.matches(ordered[first], of: funnel).contains(0) else { return nil }
                let start = ordered[first].time.milliseconds
                var times = [start]
                var position = first
                while times.count < funnel.steps.count {
                    guard
                        let next = ordered.indices.first(where: {
                            $0 > position && Self.matches(ordered[$0], of: funnel).contains(times.count)
                        }), ordered[next].time.milliseconds <= start + funnel.windowMilliseconds
                    else { break }
                    position = next
                    times.append(ordered[next].time.milliseconds)
                }
                return Attempt(
                    actor: actor,
                    order: first,
                    // Rule 5.
                    day: Day(containing: ordered[first].time),
                    value: funnel.breakdown.map { Self.text(Self.value(of: $0, in: ordered[first])) } ?? "",
                    times: times
                )
            }
        }
    }

    private static func results(of funnel: Funnel, attempts: [Attempt], _ hasTimes: Bool) -> [StepResult] {
        let byActor = Dictionary(grouping: attempts, by: \.actor)
        // Rule 8: the earliest attempt of the greatest depth.
        let best = byActor.values.compactMap { attempts in
            attempts.sorted { ($1.times.count, $0.order) < ($0.times.count, $1.order) }.first
        }
        func median(_ times: [Int64]) -> Int64? {
            times.isEmpty ? nil : times.sorted()[(times.count + 1) / 2 - 1]
        }
        return funnel.steps.indices.map { step in
            // Rule 6.
            func count(_ step: Int) -> Int {
                byActor.values.count { $0.contains { $0.times.count > step } }
            }
            let reached = best.map(\.times).filter { $0.count > step }
            let fromFirst = reached.map { $0[step] - $0[0] }
            let fromPrevious = reached.map { $0[step] - $0[max(0, step - 1)] }
            return StepResult(
                name: funnel.steps[step].name,
                count: count(step),
                conversionFromFirst: Ratio(count(step), of: count(0)),
                conversionFromPrevious: Ratio(count(step), of: count(max(0, step - 1))),
                conversionFromFirstInterval: step == 0 ? nil : IntervalOracle.ratio(count(step), of: count(0)),
                conversionFromPreviousInterval: step == 0
                    ? nil : IntervalOracle.ratio(count(step), of: count(step - 1)),
                medianFromFirst: step == 0 ? nil : median(fromFirst),
                medianFromPrevious: step == 0 ? nil : median(fromPrevious),
                times: step == 0 || !hasTimes
                    ? nil
                    : StepTimes(fromFirst: TimesOracle.all(fromFirst), fromPrevious: TimesOracle.all(fromPrevious))
            )
        }
    }

    private static func isPart(_ event: Event, of funnel: Funnel) -> Bool {
        !matches(event, of: funnel).isEmpty && (funnel.count == .installs || !(event.sessionID ?? "").isEmpty)
    }

    // Rule 1.
    private static func matches(_ event: Event, of funnel: Funnel) -> [Int] {
        funnel.steps.indices.filter { index in
            let step = funnel.steps[index]
            return step.event == event.type
                && step.conditions.allSatisfy { $0.test.holds(for: value(of: $0.field, in: event)) }
        }
    }

    static func value(of field: Field, in event: Event) -> PropertyValue? {
        func text(_ string: String?) -> PropertyValue? { string.map(PropertyValue.string) }
        switch field {
        case .property(let name):
            // Longer strings are absent.
            if case .string(let string) = event.properties[name], string.utf8.count > 1024 { return nil }
            return event.properties[name]
        case .data("install_id"): return .string(event.installID)
        // In these two, an empty string is an absent one.
        case .data("session_id"): return text(event.sessionID?.isEmpty ?? true ? nil : event.sessionID)
        case .data("user_id"): return text(event.userID?.isEmpty ?? true ? nil : event.userID)
        case .data("sequence"): return event.sequence.map { .number(Double($0)) }
        case .data("screen"): return text(event.screen)
        case .data("previous_screen"): return text(event.previousScreen)
        case .data("transition"): return text(event.transition)
        case .data("presentation_id"): return text(event.presentationID)
        case .data("paywall_source"): return text(event.paywallSource)
        case .data: return nil
        }
    }

    private static func text(_ value: PropertyValue?) -> String {
        switch value {
        case .string(let string): string
        case .number(let number): number == number.rounded() ? String(Int(number)) : String(number)
        case .bool(let bool): String(bool)
        case nil: "(none)"
        }
    }
}
