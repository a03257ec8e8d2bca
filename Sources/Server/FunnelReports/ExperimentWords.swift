import FlowEvents
import Funnels

/// What a test of variants says, in plain sentences.
enum ExperimentWords {
    /// What is known: one sentence for each variant, or the one reason why nothing is.
    ///
    /// The verdict is that of the last step, by the interval that holds at every look.
    static func verdicts(_ result: ExperimentResult, of funnel: Funnel) -> [String] {
        guard result.to != nil else {
            return ["no day is settled yet: wait until \(FunnelWords.window(funnel)) after the end of the first day"]
        }
        if let mismatch = mismatch(result) { return [mismatch] }
        guard let control = result.variants.first, result.variants.count > 1 else {
            return ["there is no variant to compare with \(FunnelWords.value(result.control)) yet"]
        }
        return result.variants.dropFirst().map { verdict($0, control, of: funnel) }
    }

    /// That the shares are not those that were meant; `nil` where they can be.
    static func mismatch(_ result: ExperimentResult) -> String? {
        guard let ratio = result.sampleRatio, ratio.isMismatch else { return nil }
        let names = ratio.groups.map { FunnelWords.value($0.value) }.joined(separator: " : ")
        let (counts, weights) = (ratio.groups.map { Double($0.count) }, ratio.groups.map(\.weight))
        // 50.4 : 49.6 can be a mismatch among many actors, and must not read 50 : 50.
        let decimals = shares(counts, 0) == shares(weights, 0) ? 2 : 0
        return "the shares of \(names) are \(shares(counts, decimals)) where \(shares(weights, decimals)) was meant: "
            + "fix the assignment first"
    }

    private static func shares(_ parts: [Double], _ decimals: Int) -> String {
        let total = parts.reduce(0, +)
        return parts.map { part in
            let share = part / total * 100
            return decimals == 0 ? "\(Int(share.rounded()))" : HumanText.hundredths(share)
        }
        .joined(separator: " : ")
    }

    private static func verdict(
        _ variant: ExperimentResult.Variant,
        _ control: ExperimentResult.Variant,
        of funnel: Funnel
    ) -> String {
        let names = (FunnelWords.value(variant.value), FunnelWords.value(control.value))
        guard funnel.steps.count > 1 else { return "\(names.0): a funnel of one step has no conversion to compare" }
        for part in [variant, control] where part.steps[0].count < ScoreInterval.leastCount {
            let least = ScoreInterval.leastCount
            return "\(names.0): fewer than \(least) in \(FunnelWords.value(part.value)), too few to tell"
        }
        guard let interval = variant.steps.last?.lift?.sequentialInterval else { return "\(names.0): too few to tell" }
        if let spread = HumanText.spread(interval) {
            let bounds = spread.points.replacing(" to ", with: " and ")
            return "\(names.0): between \(bounds) points \(spread.isUp ? "better" : "worse") than \(names.1)"
        }
        return "\(names.0): between \(bound(interval.low)) and \(bound(interval.high)) than \(names.1); not decided"
    }

    private static func bound(_ ratio: Ratio) -> String {
        "\(HumanText.size(ratio)) points \(ratio.tenThousandths < 0 ? "worse" : "better")"
    }

    /// The days that are compared: `settled days from 2026-11-02 to 2026-11-15`; `nil` where there are none.
    static func days(_ result: ExperimentResult) -> String? {
        guard let to = result.to else { return nil }
        guard let from = result.from else { return "settled days up to \(to)" }
        return from == to ? "the settled day \(to)" : "settled days from \(from) to \(to)"
    }

    /// How many actors were under several variants; `nil` where none was.
    static func crossed(_ result: ExperimentResult, of funnel: Funnel) -> String? {
        guard result.crossed > 0 else { return nil }
        let actors = result.crossed == 1 ? FunnelWords.actor(funnel) : FunnelWords.actors(funnel)
        let (verb, counts) = result.crossed == 1 ? ("was", "counts") : ("were", "count")
        return "\(HumanText.count(result.crossed)) \(actors) \(verb) under more than one variant and \(counts) in each"
    }

    /// Why looking again does no harm.
    static let looking = "the interval holds at every look: looking each day is allowed"

    /// A p-value with four decimals: `0.0312`, `below 0.0001`.
    static func probability(_ p: Double) -> String {
        let ratio = Ratio(rounding: p)
        return ratio.tenThousandths == 0 ? "below 0.0001" : ratio.description
    }
}

extension HumanText {
    /// A number of 0 or more with two decimals: `50.40`.
    static func hundredths(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst())"
    }
}
