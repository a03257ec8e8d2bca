import FlowEvents
import Funnels

/// The sums of a breakdown's values, and the money for each of their actors.
struct BreakdownMoney {
    private struct Key: Hashable {
        let step: Int
        let unit: String
    }

    private let result: FunnelResult
    /// The sums with a column of their own: those of the most actors.
    private let keys: [Key]
    private let hasManySteps: Bool

    /// The greatest number of units in the breakdown's table. A table beneath has all.
    private static let unitCount = 2

    init(_ result: FunnelResult) {
        self.result = result
        let all = result.steps.enumerated().flatMap { index, step in
            (step.sums?.units ?? []).map { (key: Key(step: index, unit: $0.unit), count: $0.count) }
        }
        // Equal ones stand in the order of steps and units.
        let most = all.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        keys = most.prefix(Self.unitCount).sorted { $0.offset < $1.offset }.map(\.element.key)
        hasManySteps = Set(all.map(\.key.step)).count > 1
    }

    /// The number of columns in the breakdown's table.
    var columnCount: Int { keys.count * 2 }

    /// The captions of the columns.
    var head: Markup {
        let cells = keys.map { key in
            let unit = key.unit == "(none)" ? "sum" : FunnelWords.value(key.unit)
            let step = hasManySteps ? " at \(TerminalText.visible(result.steps[key.step].name))" : ""
            return """
                <th scope="col" class="wide">\(unit)\(step)</th><th scope="col">\(unit)\(step) per \
                \(FunnelWords.actor(result.funnel))</th>
                """ as Markup
        }
        return Markup(cells)
    }

    /// The cells of a value's row.
    func cells(_ part: BreakdownResult) -> Markup {
        let cells = keys.map { key in
            let sums = part.steps[key.step].sums
            let unit = sums?.units.first { $0.unit == key.unit }
            let sum = unit.map { FunnelWords.amount($0.sum, decimals: sums?.decimals ?? 0) } ?? "–"
            let mean = unit?.perActor.map { HumanText.amount($0.mean) } ?? "–"
            return "<td class=\"wide\">\(sum)</td><td>\(mean)</td>" as Markup
        }
        return Markup(cells)
    }

    /// All sums of the values.
    func table(_ parts: [BreakdownResult]) -> Markup {
        let rows = parts.flatMap { part in
            part.steps.flatMap { step in
                (step.sums?.units ?? []).map { unit in
                    Chart.row(
                        BreakdownFigure.fullName(part.value),
                        [
                            Markup.foreign(step.name),
                            "\(FunnelWords.sum(unit, decimals: step.sums?.decimals ?? 0))",
                            "\(HumanText.count(unit.count))",
                            "\(unit.perActor.map { HumanText.amount($0.mean) } ?? "–")",
                            "\(unit.perActor?.interval.map(HumanText.amounts) ?? "too few to say")",
                        ]
                    )
                }
            }
        }
        guard !rows.isEmpty else { return "" }
        let head = [
            "value", "sum at", "sum", FunnelWords.actors(result.funnel), "per \(FunnelWords.actor(result.funnel))",
            "95% interval",
        ]
        return Chart.table("All sums of the breakdown", of: result.funnel, head, rows)
    }
}
