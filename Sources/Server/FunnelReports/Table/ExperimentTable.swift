import FlowEvents
import Funnels

/// The lines of a test of variants: what is known in a sentence, then the figures.
enum ExperimentTable {
    static func lines(_ result: FunnelResult, style: TableStyle) -> [String] {
        guard let experiment = result.experiment else { return [] }
        let funnel = result.funnel
        let verdicts = ExperimentWords.verdicts(experiment, of: funnel)
        var lines = verdicts.flatMap { TextWrap.lines($0, as: .title, style: style) }
        let notes = [
            ExperimentWords.days(experiment).map { "experiment over \($0); \(ExperimentWords.looking)" },
            ExperimentWords.crossed(experiment, of: funnel),
        ]
        lines += notes.compactMap { $0 }.flatMap { TextWrap.lines($0, style: style) }
        guard !experiment.variants.isEmpty else { return lines }
        let rows = figures(experiment, funnel).lines()
        lines += [style.apply(.detail, to: rows[0])] + rows.dropFirst()
        return lines + money(experiment, funnel).flatMap { TextWrap.lines($0, style: style) }
    }

    /// The last step of each variant.
    private static func figures(_ experiment: ExperimentResult, _ funnel: Funnel) -> TableColumns {
        var columns = TableColumns()
        let last = funnel.steps[funnel.steps.count - 1].name
        columns.add([
            "variant", FunnelWords.actors(funnel), short(TerminalText.visible(last)), "of first", "lift",
            "at every look", "relative",
        ])
        for variant in experiment.variants {
            guard let first = variant.steps.first, let step = variant.steps.last else { continue }
            let lift = step.lift
            columns.add([
                short(FunnelWords.value(variant.value)), HumanText.count(first.count), HumanText.count(step.count),
                step.conversionFromFirst.map(HumanText.percentage) ?? "–",
                lift?.difference.map(HumanText.points) ?? "–",
                lift?.sequentialInterval.map { "\(HumanText.points($0.low)) to \(HumanText.points($0.high))" } ?? "–",
                lift?.relative.map { HumanText.points($0) + "%" } ?? "–",
            ])
        }
        return columns
    }

    private static func money(_ experiment: ExperimentResult, _ funnel: Funnel) -> [String] {
        experiment.variants.flatMap { variant in
            variant.sums.compactMap { sum in
                guard let perActor = sum.perActor else { return nil }
                let name = FunnelWords.value(variant.value)
                let unit = sum.unit == "(none)" ? "" : " " + FunnelWords.value(sum.unit)
                let actor = FunnelWords.actor(funnel)
                let amount =
                    "\(name): \(HumanText.amount(perActor))\(unit) at \(FunnelWords.value(sum.step)) per \(actor)"
                guard let difference = sum.difference else { return amount }
                let sign = difference > 0 ? "+" : ""
                let interval = sum.differenceInterval.map { ", 95% interval \(HumanText.amounts($0))" } ?? ""
                return "\(amount) (\(sign)\(HumanText.amount(difference))\(interval))"
            }
        }
    }

    private static func short(_ name: String) -> String {
        TerminalText.width(name) > 16 ? TerminalText.fit(name, columns: 16) : name
    }
}
