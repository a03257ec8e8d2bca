import FlowEvents
import Funnels

/// A test of variants: what is known in a sentence, then each variant's interval around the control.
enum ExperimentFigure {
    static func markup(_ result: FunnelResult) -> Markup {
        guard let experiment = result.experiment else { return "" }
        let funnel = result.funnel
        let verdicts = ExperimentWords.verdicts(experiment, of: funnel)
        let isMismatch = experiment.sampleRatio?.isMismatch ?? false
        let sentences = verdicts.map { verdict in
            "<p class=\"say\(isMismatch ? " warn" : "")\"><bdi>\(verdict)</bdi>.</p>" as Markup
        }
        let notes = [
            ExperimentWords.days(experiment).map { "Over \($0). \(capitalized(ExperimentWords.looking))." },
            ExperimentWords.crossed(experiment, of: funnel).map { "\($0)." },
        ]
        let details = notes.compactMap { $0 }.map { "<p class=\"note\">\($0)</p>" as Markup }
        guard !experiment.variants.isEmpty else {
            return "<figure>\(caption(funnel))\(sentences)\(details)</figure>"
        }
        return """
            <figure>\(caption(funnel))\(sentences)\(chart(experiment, funnel))\(details)\(money(experiment, funnel))\
            \(table(experiment, funnel))</figure>
            """
    }

    private static func caption(_ funnel: Funnel) -> Markup {
        let field: Markup =
            funnel.breakdown.map { "<b>\($0.parts.map(FunnelWords.part).joined(separator: ", "))</b>" } ?? ""
        return "<figcaption>Test of variants by \(field), over settled days</figcaption>"
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// The intervals around the control, which is the line in the middle.
    private static func chart(_ experiment: ExperimentResult, _ funnel: Funnel) -> Markup {
        guard funnel.steps.count > 1 else { return "" }
        let bounds = experiment.variants.compactMap { $0.steps.last?.lift }.flatMap { lift in
            [lift.difference, lift.sequentialInterval?.low, lift.sequentialInterval?.high].compactMap { $0 }
        }
        let scale = Double(max(bounds.map { $0.tenThousandths.magnitude }.max() ?? 0, 1)) * 1.08
        let rows = experiment.variants.enumerated().map { row($1, isControl: $0 == 0, scale: scale) }
        let (first, last) = (funnel.steps[0].name, funnel.steps[funnel.steps.count - 1].name)
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Variants of \(funnel.name)"><table><thead><tr>\
            <th scope="col">variant</th><th scope="col" class="wide">\(Markup.foreign(first))</th>\
            <th scope="col" class="wide">\(Markup.foreign(last))</th><th scope="col">of first</th>\
            <td class="axis"><span>worse</span><span>better</span></td><th scope="col">lift, points</th>\
            <th scope="col" class="wide">at every look</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }

    private static func row(_ variant: ExperimentResult.Variant, isControl: Bool, scale: Double) -> Markup {
        guard let first = variant.steps.first, let step = variant.steps.last else { return "" }
        let lift = step.lift
        let name: Markup =
            isControl ? "\(Markup.foreign(variant.value)) <small>control</small>" : Markup.foreign(variant.value)
        let interval = lift?.sequentialInterval.map { "\(HumanText.points($0.low)) to \(HumanText.points($0.high))" }
        return """
            <tr><th scope="row">\(name)</th><td class="wide">\(HumanText.count(first.count))</td><td class="wide">\
            \(HumanText.count(step.count))</td><td>\(step.conversionFromFirst.map(HumanText.percentage) ?? "–")</td>\
            <td class="chart"><svg width="100%" height="22" aria-hidden="true">\(shape(lift, scale: scale))</svg></td>\
            <td><b>\(lift?.difference.map(HumanText.points) ?? "–")</b></td><td class="wide">\
            \(isControl ? "–" : interval ?? "too few to say")</td></tr>
            """
    }

    private static func shape(_ lift: ExperimentResult.Lift?, scale: Double) -> Markup {
        func place(_ ratio: Ratio) -> Double { 0.5 + Double(ratio.tenThousandths) / scale / 2 }
        let zero: Markup = "<line class=\"base\" x1=\"50%\" x2=\"50%\" y1=\"-4\" y2=\"26\"/>"
        guard let lift, let difference = lift.difference else { return zero }
        let dot: Markup = "<circle class=\"dot\" cx=\"\(Chart.percent(place(difference)))\" cy=\"11\" r=\"4.5\"/>"
        guard let interval = lift.sequentialInterval else { return "\(zero)\(dot)" }
        let (low, high) = (place(interval.low), place(interval.high))
        return """
            <rect class="band" x="\(Chart.percent(low))" width="\(Chart.percent(high - low))" y="3" height="16"/>\
            <g class="mark"><line x1="\(Chart.percent(low))" x2="\(Chart.percent(low))" y1="3" y2="19"/>\
            <line x1="\(Chart.percent(high))" x2="\(Chart.percent(high))" y1="3" y2="19"/></g>\(zero)\(dot)
            """
    }

    private static func money(_ experiment: ExperimentResult, _ funnel: Funnel) -> Markup {
        let rows = experiment.variants.flatMap { variant in
            variant.sums.compactMap { sum -> Markup? in
                guard let perActor = sum.perActor else { return nil }
                let unit = sum.unit == "(none)" ? "" : " " + FunnelWords.value(sum.unit)
                let difference = sum.difference.map { ($0 > 0 ? "+" : "") + HumanText.amount($0) }
                let interval =
                    sum.difference == nil ? "–" : sum.differenceInterval.map(HumanText.amounts) ?? "too few to say"
                return Chart.row(
                    Markup.foreign(variant.value),
                    [
                        Markup.foreign(sum.step), "\(HumanText.amount(perActor))\(unit)", "\(difference ?? "–")",
                        "\(interval)",
                    ]
                )
            }
        }
        guard !rows.isEmpty else { return "" }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Money of the variants of \(funnel.name)"><table>\
            <thead><tr><th scope="col">variant</th><th scope="col">sum at</th><th scope="col">per \
            \(FunnelWords.actor(funnel))</th><th scope="col">difference</th><th scope="col">95% interval, one look</th></tr>\
            </thead><tbody>\(rows)</tbody></table></div>
            """
    }

    private static func table(_ experiment: ExperimentResult, _ funnel: Funnel) -> Markup {
        let head = [
            "variant", "step", FunnelWords.actors(funnel), "of first", "lift, points", "at every look", "one look",
            "relative lift", "95% interval", "p, one look",
        ]
        let rows = experiment.variants.flatMap { variant in
            variant.steps.map { step in
                let lift = step.lift
                func points(_ interval: ScoreInterval?) -> String? {
                    interval.map { "\(HumanText.points($0.low)) to \(HumanText.points($0.high))" }
                }
                let cells = [
                    HumanText.count(step.count), step.conversionFromFirst.map(HumanText.percentage),
                    lift?.difference.map(HumanText.points), points(lift?.sequentialInterval),
                    points(lift?.differenceInterval), lift?.relative.map { HumanText.points($0) + "%" },
                    points(lift?.relativeInterval).map { $0 + " %" }, lift?.p.map(ExperimentWords.probability),
                ]
                return Chart.row(
                    Markup.foreign(variant.value),
                    [Markup.foreign(step.name)] + cells.map { "\($0 ?? "–")" }
                )
            }
        }
        let ratio: Markup =
            experiment.sampleRatio.map { ratio in
                """
                <p class="note">Shares as they were meant: p \(ExperimentWords.probability(ratio.p)), by Pearson's \
                chi-square test. Below 0.001 the assignment counts as broken.</p>
                """
            } ?? ""
        return "\(Chart.table("All figures of the variants", of: funnel, head, rows))\(ratio)"
    }
}
