import FlowEvents
import Foundation
import Funnels

/// Counts funnels by brute force, for comparison with the engine.
///
/// It follows the written rules one by one and shares only input and output values with the engine. It is slow, so that
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

    let funnels: [Funnel]
    private var quality = Quality()
    // The events that a funnel needs, without repeats.
    private var events: [Event] = []
    private(set) var attempts: [[OracleAttempt]] = []

    /// - Parameter evidenceLimit: the greatest number of distinct events of an install that take part, within the UTC
    ///   days that the lateness and the longest window can touch. An install with more events leaves all funnels.
    /// - Parameter evidenceByteLimit: the greatest number of bytes of text in these events.
    /// - Parameter floors: the times before which the events of partitions that were added are late. They depend on when
    ///   evidence was removed, so a store has to say them.
    package init(
        funnels: [Funnel],
        records: [Record],
        allowedLateness: Int64 = .max,
        floors: [Int32: Timestamp] = [:],
        evidenceLimit: Int = 100_000,
        evidenceByteLimit: Int = .max
    ) {
        self.funnels = funnels
        var watermarks: [Int32: Int64] = [:]
        var completeness = CompletenessOracle()
        var seen: Set<[String]> = []
        // Rule 24.
        let erased = Set(records.filter { $0.event.type == "erasure_request" }.map(\.event.installID))
        quality.erasedInstalls = Int64(erased.count)
        for record in records {
            let event = record.event
            let isErased = erased.contains(event.installID)
            quality.events += 1
            if !isErased { completeness.add(event) }
            // Rule 10.
            let watermark = watermarks[record.partition]
            let bounded = min(event.time.milliseconds, record.timestamp?.milliseconds ?? .max)
            watermarks[record.partition] = max(watermark ?? .min, bounded)
            let isBehind =
                if let watermark, allowedLateness != .max {
                    event.time.milliseconds < watermark.subtractingReportingOverflow(allowedLateness).partialValue
                } else { false }
            if isBehind || floors[record.partition].map({ event.time < $0 }) ?? false {
                quality.late += 1
                continue
            }
            guard !isErased, funnels.contains(where: { Self.isNeeded(event, of: $0) }) else { continue }
            // Rule 9.
            if seen.insert([event.installID, event.source, event.id]).inserted {
                events.append(event)
            } else if funnels.contains(where: { Self.isPart(event, of: $0) }) {
                quality.duplicates += 1
            }
        }
        quality.completeness = completeness.sum
        leaveOut(above: evidenceLimit, evidenceByteLimit, allowedLateness)
        attempts = funnels.map { attempts(of: $0) }
    }

    // Rule 19.
    private mutating func leaveOut(above limit: Int, _ byteLimit: Int, _ allowedLateness: Int64) {
        let window = funnels.map(\.windowMilliseconds).max() ?? 0
        let dayCount = allowedLateness == .max ? Int64.max : (allowedLateness + window) / 86_400_000 + 2
        for (install, events) in Dictionary(grouping: events, by: \.installID) {
            // Most tests have so few events that there is nothing to find.
            guard events.count > limit || byteLimit < .max else { continue }
            let bytes = byteLimit < .max ? events.map { textByteCount($0) } : events.map { _ in 0 }
            let days = events.map { Int64(Day(containing: $0.time).number) }
            let isAbove = days.contains { first in
                let span = zip(days, bytes).filter { $0.0 >= first && $0.0 - first < dayCount }
                return span.count > limit || span.reduce(0) { $0 + $1.1 } > byteLimit
            }
            guard isAbove else { continue }
            self.events.removeAll { $0.installID == install }
            quality.capped += 1
        }
    }

    private func textByteCount(_ event: Event) -> Int {
        let isUUID = UUID(uuidString: event.id)?.uuidString.lowercased() == event.id
        return (isUUID ? 0 : event.id.utf8.count) + event.source.utf8.count + (event.sessionID ?? "").utf8.count
            + watchedFields(ofType: event.type).reduce(0) { sum, field in
                switch Self.value(of: field, in: event)?.kind {
                case .string(let text): sum + text.utf8.count
                case .number(let number): sum + byteCount(of: number)
                case .bool, nil: sum
                }
            }
    }

    // A number of 64 bits takes as many bytes, a longer integer those of its digits.
    private func byteCount(of number: PropertyNumber) -> Int {
        number.withFieldNumber { if case .digits(let digits) = $0 { digits.count } else { 8 } }
    }

    // The fields that funnels ask of events of a type.
    private func watchedFields(ofType type: String) -> Set<Field> {
        var fields: Set<Field> = []
        for funnel in funnels {
            func add(_ patterns: [EventPattern], _ others: [Field?]) {
                for pattern in patterns where pattern.event == type {
                    fields.formUnion(pattern.conditions.map(\.field) + others.compactMap { $0 })
                }
            }
            var actor: Field?
            if case .by(let field) = funnel.count { actor = field }
            for (index, step) in funnel.steps.enumerated() {
                let parts = (funnel.breakdown?.parts ?? []).filter { $0.step.map { $0 == step.name } ?? (index == 0) }
                add(step.alternatives, [step.sum?.field, step.sum?.unit, actor] + parts.map(\.field))
            }
            for exclusion in funnel.exclusions { add(exclusion.alternatives, [actor]) }
            if let next = funnel.next { add([next.pattern], [next.field]) }
        }
        return fields
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
            funnels: zip(funnels, attempts).map { funnel, attempts in
                let attempts = attempts.filter { attempt in
                    from.map { $0 <= attempt.day } ?? true && to.map { attempt.day <= $0 } ?? true
                }
                var breakdown: [BreakdownResult]?
                var valuesLeftOut = 0
                if funnel.breakdown != nil {
                    // Rule 7.
                    breakdown = Dictionary(grouping: attempts, by: \.values)
                        .sorted { Self.precedes($0.key, $1.key) }
                        .map {
                            BreakdownResult(
                                value: funnel.breakdown?.isList ?? false ? .list($0.key) : .text($0.key[0]),
                                steps: Self.results(of: funnel, attempts: $0.value, hasTimes)
                            )
                        }
                    (breakdown, valuesLeftOut) = Self.largest(valueLimit, of: breakdown ?? [])
                }
                var result = FunnelResult(
                    funnel: funnel,
                    from: from,
                    to: to,
                    steps: Self.results(of: funnel, attempts: attempts, hasTimes),
                    breakdown: breakdown,
                    valuesLeftOut: valuesLeftOut
                )
                if funnel.timeZone != .utc { result.timeZone = funnel.timeZone.name }
                if hasTimes, funnel.steps.count > 1 {
                    // Rule 16.
                    let requiredCount = funnel.steps.count { !$0.isOptional }
                    let complete = Self.best(attempts).filter { $0.depth == requiredCount }
                    result.entries = EntryCounts(
                        counts: (1...5).map { number in complete.count { min($0.entryCount, 5) == number } }
                    )
                }
                return result
            },
            quality: quality
        )
    }

    private static func precedes(_ lhs: [String], _ rhs: [String]) -> Bool {
        for (left, right) in zip(lhs, rhs) where Array(left.utf8) != Array(right.utf8) {
            return Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8))
        }
        return false
    }

    // The values have different bytes and are in their order.
    private static func largest(_ limit: Int, of values: [BreakdownResult]) -> ([BreakdownResult], Int) {
        let ranked = values.indices.sorted { lhs, rhs in
            (values[rhs].steps[0].count, lhs) < (values[lhs].steps[0].count, rhs)
        }
        return (ranked.prefix(limit).sorted().map { values[$0] }, max(0, values.count - limit))
    }

    private func attempts(of funnel: Funnel) -> [OracleAttempt] {
        let zone = TimeZone(identifier: funnel.timeZone.name)
        // Rules 2 and 12.
        let actors = Dictionary(grouping: events.filter { Self.isPart($0, of: funnel) }) { event in
            Self.actor(event, of: funnel) ?? []
        }
        let nextEvents = Dictionary(grouping: events.filter { Self.isNext($0, of: funnel) }) { event in
            (funnel.count == .sessions ? Self.actor(event, of: funnel) : nil) ?? [event.installID]
        }
        .mapValues { events in events.map { OracleEvent($0, of: funnel) }.sorted { $0.precedes($1) } }
        return actors.flatMap { actor, events in
            // Rules 3 and 14.
            let ordered = events.map { OracleEvent($0, of: funnel) }.sorted { $0.precedes($1) }
            let entries = ordered.indices.filter { ordered[$0].steps.contains(0) }
            // Rules 4 and 13.
            return (funnel.entry == .first ? Array(entries.prefix(1)) : entries).map { first in
                OracleAttempt(
                    from: first,
                    of: ordered,
                    nextEvents: nextEvents[funnel.count == .sessions ? actor : [actor[0]]] ?? [],
                    actor: actor,
                    funnel,
                    zone
                )
            }
        }
    }

    private static func results(of funnel: Funnel, attempts: [OracleAttempt], _ hasTimes: Bool) -> [StepResult] {
        let byActor = Dictionary(grouping: attempts, by: \.actor)
        let best = best(attempts)
        let required = funnel.steps.indices.filter { !funnel.steps[$0].isOptional }
        func median(_ times: [Int64]) -> Int64? {
            times.isEmpty ? nil : times.sorted()[(times.count + 1) / 2 - 1]
        }
        // Rules 6 and 21.
        func count(_ step: Int) -> Int {
            guard let number = required.firstIndex(of: step) else { return best.count { $0.events[step] != nil } }
            return byActor.values.count { $0.contains { $0.depth > number } }
        }
        return funnel.steps.indices.map { step in
            let previous = required.last { $0 < step } ?? 0
            let behind = required.first { $0 > step }
            let isOptional = !required.contains(step)
            let fromFirst = best.compactMap { $0.time(toStep: step) }
            let fromPrevious = best.compactMap { attempt in
                attempt.time(toStep: step).map { $0 - (attempt.time(toStep: previous) ?? 0) }
            }
            let last = required.firstIndex(of: step).map { number in best.filter { $0.depth == number + 1 } } ?? []
            var result = StepResult(name: funnel.steps[step].name, count: count(step))
            result.conversionFromFirst = Ratio(count(step), of: count(0))
            result.conversionFromPrevious = Ratio(count(step), of: count(previous))
            if step > 0 {
                result.conversionFromFirstInterval = IntervalOracle.ratio(count(step), of: count(0))
                result.conversionFromPreviousInterval = IntervalOracle.ratio(count(step), of: count(previous))
                result.medianFromFirst = median(fromFirst)
                result.medianFromPrevious = median(fromPrevious)
                if hasTimes {
                    result.times = StepTimes(
                        fromFirst: TimesOracle.all(fromFirst),
                        fromPrevious: TimesOracle.all(fromPrevious)
                    )
                }
            }
            result.sums = funnel.steps[step].sum.map { sums($0, best.compactMap { $0.events[step] }, of: count(0)) }
            // Rule 14.
            if !funnel.exclusions.isEmpty, behind != nil, !isOptional {
                result.excluded = last.count(where: \.isExcluded)
            }
            result.isOptional = isOptional
            if isOptional, let behind {
                let passedBy = best.filter { $0.events[previous] != nil && $0.events[step] == nil }
                let with = best.filter { $0.events[step] != nil }
                result.nextStep = NextStepResult(
                    with: Conversion(count: with.count { $0.events[behind] != nil }, of: with.count),
                    without: Conversion(count: passedBy.count { $0.events[behind] != nil }, of: passedBy.count)
                )
            } else if behind != nil, funnel.next != nil {
                result.next = places(last.compactMap(\.next))
            }
            return result
        }
    }

    // Rule 23.
    private static func places(_ places: [String]) -> NextPlaces {
        let counts = Dictionary(grouping: places, by: { Array($0.utf8) }).mapValues(\.count)
        let sorted = counts.sorted { lhs, rhs in
            lhs.value != rhs.value ? lhs.value > rhs.value : lhs.key.lexicographicallyPrecedes(rhs.key)
        }
        return NextPlaces(
            places: sorted.prefix(1000).map { .init(value: String(decoding: $0.key, as: UTF8.self), count: $0.value) },
            leftOutCount: max(0, sorted.count - 1000)
        )
    }

    // Rule 8: the earliest attempt of the greatest depth.
    static func best(_ attempts: [OracleAttempt]) -> [OracleAttempt] {
        Dictionary(grouping: attempts, by: \.actor).values.compactMap { attempts in
            attempts.sorted { ($1.depth, $0.order) < ($0.depth, $1.order) }.first
        }
    }

    // Rule 15.
    private static func sums(_ sum: Sum, _ events: [Event], of actors: Int) -> StepSums {
        let scale: Double = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000][sum.decimals]
        var result = StepSums(decimals: sum.decimals, without: 0, units: [])
        var units: [String: StepSums.Unit] = [:]
        var values: [String: [Double]] = [:]
        for event in events {
            guard let number = value(of: sum.field, in: event)?.exactNumber,
                case let product = number.double * scale,
                product.isFinite, abs(product - product.rounded()) <= 0.001, abs(product.rounded()) <= 1_099_511_627_776
            else {
                result.without += 1
                continue
            }
            let unit = text(sum.unit.flatMap { value(of: $0, in: event) })
            units[unit, default: StepSums.Unit(unit: unit, sum: 0, count: 0)].sum += Int64(product.rounded())
            units[unit]?.count += 1
            values[unit, default: []].append(product.rounded() / scale)
        }
        for (unit, values) in values {
            units[unit]?.perActor = IntervalOracle.mean(values + Array(repeating: 0, count: actors - values.count))
        }
        result.units = units.values.sorted { Array($0.unit.utf8).lexicographicallyPrecedes(Array($1.unit.utf8)) }
        return result
    }
}
