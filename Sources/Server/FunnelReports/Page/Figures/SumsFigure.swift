import FlowEvents
import Funnels

/// The sums of the steps, and how often actors entered until they had met all steps, for the funnels that have them.
enum SumsFigure {
    static func markup(_ result: FunnelResult) -> Markup {
        let rows = result.steps.flatMap { step -> [Markup] in
            guard let sums = step.sums else { return [] }
            let units = sums.units.map { unit in
                let mean = unit.perActor
                return Chart.row(
                    Markup.foreign(step.name),
                    [
                        "\(FunnelWords.sum(unit, decimals: sums.decimals))", "\(HumanText.count(unit.count))",
                        "\(mean.map { HumanText.amount($0.mean) } ?? "–")",
                        "\(mean?.interval.map(HumanText.amounts) ?? "too few to say")",
                    ]
                )
            }
            let without = Chart.row(
                Markup.foreign(step.name),
                ["without a number", "\(HumanText.count(sums.without))", "", ""]
            )
            return units + (sums.without > 0 ? [without] : [])
        }
        let sums: Markup =
            rows.isEmpty
            ? ""
            : """
            <figure><figcaption>Sums of the events that met a step, one event for each of the \
            \(FunnelWords.actors(result.funnel))</figcaption><div class="scroll" tabindex="0" role="region" \
            aria-label="Sums of \(result.funnel.name)"><table><thead><tr><th scope="col">step</th>\
            <th scope="col">sum</th><th scope="col">\(FunnelWords.actors(result.funnel))</th>\
            <th scope="col">per \(FunnelWords.actor(result.funnel)) of \(Markup.foreign(result.steps[0].name))</th>\
            <th scope="col">95% interval</th></tr></thead><tbody>\(rows)\
            </tbody></table></div></figure>
            """
        return "\(sums)\(entries(result))"
    }

    private static func entries(_ result: FunnelResult) -> Markup {
        guard let entries = result.entries, entries.counts.contains(where: { $0 > 0 }) else { return "" }
        let total = entries.counts.reduce(0, +)
        let rows = zip(EntryCounts.captions, entries.counts).map { caption, count in
            let bar: Markup = """
                <svg width="100%" height="18" aria-hidden="true"><rect class="fill" y="3" height="12" rx="1.5" \
                width="\(Chart.percent(Double(count) / Double(total)))"/></svg>
                """
            return """
                <tr><th scope="row">\(caption)</th><td>\(HumanText.count(count))</td><td class="chart">\(bar)</td>\
                <td>\(HumanText.percentage(count, of: total) ?? "–")</td></tr>
                """ as Markup
        }
        return """
            <figure><figcaption>How often they began until they had met all steps</figcaption><div class="scroll" \
            tabindex="0" role="region" aria-label="Entries of \(result.funnel.name)"><table><thead><tr><th scope="col">began\
            </th><th scope="col">\(FunnelWords.actors(result.funnel))</th><td></td><th scope="col">of these</th></tr></thead>\
            <tbody>\(rows)</tbody></table></div></figure>
            """
    }
}
