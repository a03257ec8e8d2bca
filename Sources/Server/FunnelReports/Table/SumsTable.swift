import FlowEvents
import Funnels

/// The lines of what was excluded and added up, and of the entries, for the funnels that have them.
enum SumsTable {
    static func lines(_ result: FunnelResult, style: TableStyle) -> [String] {
        var lines = Self.lines(of: result.steps, result.funnel, style: style)
        if let entries = result.entries, entries.counts.contains(where: { $0 > 0 }) {
            let counts = zip(EntryCounts.captions, entries.counts).map { "\($0): \(HumanText.count($1))" }
            lines += TextWrap.lines("entries until all steps were met: \(counts.joined(separator: ", "))", style: style)
        }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// The lines of what was excluded and added up at some steps: those of all actors, or of a breakdown value.
    static func lines(of steps: [StepResult], _ funnel: Funnel, style: TableStyle) -> [String] {
        let actors = FunnelWords.actors(funnel)
        var lines: [String] = []
        for step in steps {
            let name = TerminalText.visible(step.name)
            if let excluded = step.excluded, excluded > 0 {
                lines.append("after \(name): \(HumanText.count(excluded)) \(actors) ended by an exclusion")
            }
            guard let sums = step.sums else { continue }
            let units = sums.units.map { unit in
                let perActor = unit.perActor.map { ", \(FunnelWords.perActor($0, funnel))" } ?? ""
                return
                    "\(FunnelWords.sum(unit, decimals: sums.decimals)) from \(HumanText.count(unit.count))\(perActor)"
            }
            let without = sums.without > 0 ? ["\(HumanText.count(sums.without)) without a number"] : []
            let parts = units + without
            if !parts.isEmpty { lines.append("sum at \(name): \(parts.joined(separator: "; "))") }
        }
        return lines.flatMap { TextWrap.lines($0, style: style) }
    }
}

extension FunnelWords {
    /// A sum with its unit: `1,234.50 EUR`.
    static func sum(_ unit: StepSums.Unit, decimals: Int) -> String {
        amount(unit.sum, decimals: decimals) + (unit.unit == "(none)" ? "" : " " + TerminalText.visible(unit.unit))
    }

    /// An amount with its decimals: `1,234.50`.
    static func amount(_ sum: Int64, decimals: Int) -> String {
        var scale: UInt64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let (whole, fraction) = sum.magnitude.quotientAndRemainder(dividingBy: scale)
        let digits = String(fraction)
        let padded = decimals == 0 ? "" : "." + String(repeating: "0", count: decimals - digits.count) + digits
        let sign = sum < 0 ? "-" : ""
        return sign + HumanText.count(whole) + padded
    }
}
