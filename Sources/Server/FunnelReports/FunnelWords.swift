import FlowEvents
import Funnels

/// The words for parts of a report, which all formats for people share.
enum FunnelWords {
    /// The actors that a funnel counts, as a noun: `installs`, `presentations`, `values of item_id`.
    static func actors(_ funnel: Funnel) -> String {
        switch funnel.count {
        case .installs, .sessions: funnel.count.description
        case .by(.data("presentation_id")): "presentations"
        case .by(let field): "values of \(field.path)"
        }
    }

    /// The window of a funnel: `1h`.
    static func window(_ funnel: Funnel) -> String {
        DurationText.text(funnel.windowMilliseconds)
    }

    /// The entry days of a report: `entered from 2026-11-14 to 2026-11-20 (UTC)`.
    static func range(_ result: FunnelResult) -> String {
        let zone = "(\(result.timeZone ?? "UTC"))"
        if result.hasNoDays { return "no days" }
        return switch (result.from, result.to) {
        case (nil, nil): "all days"
        case (let from?, nil): "entered from \(from) on \(zone)"
        case (nil, let to?): "entered up to \(to) \(zone)"
        case (let from?, let to?) where from == to: "entered on \(from) \(zone)"
        case (let from?, let to?): "entered from \(from) to \(to) \(zone)"
        }
    }

    /// Which days are settled and which are final, and the partitions that hold back the others; `nil` where nothing is
    /// known of them.
    static func states(_ states: DayStates) -> String? {
        guard states != DayStates() else { return nil }
        let settled = states.settledTo.map { "settled to \($0)" } ?? "no day is settled"
        let final = states.finalTo.map { "final to \($0)" } ?? "no day is final"
        let held = [states.heldBackBy?.settled, states.heldBackBy?.final].compactMap { $0 }
        guard !held.isEmpty else { return "\(settled), \(final)" }
        let partitions = Set(held.map(\.partition))
        var names = partitions.sorted().map(String.init).joined(separator: " and ")
        // The partitions of several stores have the same numbers.
        let stores = held.compactMap { partition in partition.store.map { "\(partition.partition) of \($0)" } }
        if !stores.isEmpty { names = Set(stores).sorted().joined(separator: " and ") }
        let isOne = stores.isEmpty ? partitions.count == 1 : Set(stores).count == 1
        return "\(settled), \(final), held back by partition\(isOne ? "" : "s") \(TerminalText.visible(names))"
    }

    /// Why days are open; `nil` where none of them is.
    static func openNote(_ result: FunnelResult) -> String? {
        guard result.trend?.contains(where: { $0.state == .open }) ?? false else { return nil }
        return whyOpen(result)
    }

    /// A warning that a comparison has days whose conversion may still grow; `nil` where it has none.
    static func openComparisonNote(_ result: FunnelResult) -> String? {
        guard result.comparison != nil, let to = result.to, result.states.state(of: to) == .open else { return nil }
        return "not all of the later days are settled: the change can still grow"
    }

    private static func whyOpen(_ result: FunnelResult) -> String {
        let window = window(result.funnel)
        guard let held = result.states.heldBackBy?.settled, let time = held.time else {
            return "an open day's conversion can still grow, for \(window) after its end"
        }
        return "an open day's conversion can still grow, for \(window) after its end; "
            + "partition \(held.partition)\(held.store.map { " of \($0)" } ?? "") was read up to \(HumanText.moment(time))"
    }

    /// What an interval says of a difference.
    static func verdict(_ interval: ScoreInterval?) -> String {
        guard let interval else { return "too few to say" }
        if interval.low.tenThousandths > 0 { return "higher" }
        return interval.high.tenThousandths < 0 ? "lower" : "no clear change"
    }

    /// The days of a bucket: `2026-11-16`, `2026-11-16 to 11-22`.
    static func bucket(_ bucket: TrendBucket) -> String {
        guard bucket.from != bucket.to else { return bucket.from.description }
        let (from, to) = (bucket.from.description, bucket.to.description)
        return "\(from) to \(from.prefix(4) == to.prefix(4) ? String(to.dropFirst(5)) : to)"
    }

    /// The bounds of a bucket of times: `2s to 5s`.
    static func bounds(_ bucket: TimeDistribution.Bucket) -> String {
        let from = bucket.from == 0 ? "0" : DurationText.text(bucket.from)
        return bucket.to.map { "\(from) to \(DurationText.text($0))" } ?? "\(from) or more"
    }

    /// The percentiles of a distribution that has times, as `p10 1.2s` and so on.
    static func percentiles(_ times: TimeDistribution) -> [String] {
        zip(TimeDistribution.percents, times.percentiles).compactMap { percent, time in
            time.map { "\(percent == 50 ? "median" : "p\(percent)") \(HumanText.duration($0))" }
        }
    }
}
