import FlowEvents
import Funnels

/// The breakdown as a table with bars, intervals and the money for each actor.
enum BreakdownFigure {
    /// The greatest number of values on a page. The JSON and the CSV have all that are counted.
    private static let valueCount = 50

    static func markup(_ result: FunnelResult) -> Markup {
        guard let breakdown = result.funnel.breakdown, let all = result.breakdown, !all.isEmpty else { return "" }
        let shown = Set(
            all.indices.sorted { (all[$1].steps[0].count, $0) < (all[$0].steps[0].count, $1) }.prefix(valueCount)
        )
        let parts = all.indices.filter(shown.contains).map { all[$0] }
        let highs = parts.map { part in
            part.steps.last.map { step in
                let high = step.conversionFromFirstInterval?.high ?? step.conversionFromFirst
                return Double(high?.tenThousandths ?? 0) / 10_000
            } ?? 0
        }
        let scale = max(highs.max() ?? 1, 0.0001)
        let money = BreakdownMoney(result)
        let columns = 2 + (result.steps.count > 1 ? 4 : 0) + money.columnCount
        let rows = grouped(parts, columns: columns) { row($0, scale: scale, money) }
        let (first, last) = (result.steps[0].name, result.steps[result.steps.count - 1].name)
        let hasConversion = result.steps.count > 1
        let conversion: Markup =
            hasConversion
            ? """
            <th scope="col" class="wide">\(Markup.foreign(last))</th><td class="wide"></td><th scope="col">of \
            first</th><th scope="col">95% interval</th>
            """ : ""
        return """
            <figure><figcaption>By \(caption(breakdown))</figcaption>\
            <div class="scroll" tabindex="0" role="region" aria-label="Breakdown of \(result.funnel.name)"><table><thead>\
            <tr><th scope="col">value</th><th scope="col"\(hasConversion ? " class=\"wide\"" : "" as Markup)>\
            \(Markup.foreign(first))</th>\(conversion)\(money.head)</tr></thead>\(rows)</table></div>\
            \(note(result, all.count - parts.count))\(table(result, parts))\(money.table(parts))</figure>
            """
    }

    private static func caption(_ breakdown: Breakdown) -> Markup {
        let parts = breakdown.parts.map { part in
            let step: Markup = part.step.map { Markup.foreign($0) } ?? "the first step"
            return "<b>\(Markup.foreign(part.field.path))</b> of \(step)" as Markup
        }
        return Markup(parts.enumerated().map { $0 == 0 ? $1 : ", then \($1)" })
    }

    /// Rows under a heading for each first part, where a value has several.
    private static func grouped(
        _ parts: [BreakdownResult],
        columns: Int,
        row: (BreakdownResult) -> Markup
    ) -> Markup {
        guard parts.contains(where: { $0.value.texts.count > 1 }) else {
            return "<tbody>\(parts.map(row))</tbody>"
        }
        var groups: [(name: String, rows: [Markup])] = []
        for part in parts {
            let name = part.value.texts[0]
            if groups.last?.name != name { groups.append((name, [])) }
            groups[groups.count - 1].rows.append(row(part))
        }
        let bodies = groups.map { name, rows in
            """
            <tbody><tr class="group"><th scope="rowgroup" colspan="\(columns)">\(Markup.foreign(name))</th></tr>\(rows)</tbody>
            """ as Markup
        }
        return Markup(bodies)
    }

    /// What a row is called: a list's parts behind the first, under which it stands.
    private static func name(_ value: BreakdownValue) -> Markup {
        let texts = value.texts.count > 1 ? Array(value.texts.dropFirst()) : value.texts
        return Markup(texts.enumerated().map { $0 == 0 ? Markup.foreign($1) : " · \(Markup.foreign($1))" })
    }

    /// What a row is called in a table without groups.
    static func fullName(_ value: BreakdownValue) -> Markup {
        Markup(value.texts.enumerated().map { $0 == 0 ? Markup.foreign($1) : " · \(Markup.foreign($1))" })
    }

    private static func row(_ part: BreakdownResult, scale: Double, _ money: BreakdownMoney) -> Markup {
        let (first, last) = (part.steps[0], part.steps[part.steps.count - 1])
        let heading: Markup = "<th scope=\"row\">\(name(part.value))</th>"
        guard part.steps.count > 1 else {
            return "<tr>\(heading)<td>\(HumanText.count(first.count))</td>\(money.cells(part))</tr>"
        }
        let share = first.count == 0 ? 0 : Double(last.count) / Double(first.count) / scale
        let interval = last.conversionFromFirstInterval
        let whisker: Markup = interval.map { StepsFigure.whisker($0, scale: scale, y: 9) } ?? ""
        return """
            <tr>\(heading)<td class="wide">\(HumanText.count(first.count))</td>\
            <td class="wide">\(HumanText.count(last.count))</td><td class="chart wide"><svg width="100%" height="18" \
            aria-hidden="true"><rect class="fill" y="3" height="12" rx="1.5" width="\(Chart.percent(min(1, share)))"/>\
            \(whisker)</svg></td><td><b>\(HumanText.percentage(last.count, of: first.count) ?? "–")</b></td>\
            <td>\(interval.map(HumanText.percentages) ?? "too few to say")</td>\(money.cells(part))</tr>
            """
    }

    private static func note(_ result: FunnelResult, _ hidden: Int) -> Markup {
        let count = hidden + result.valuesLeftOut
        guard count > 0 else { return "" }
        let values = HumanText.count(Int64(count), "more value")
        return
            "<p class=\"note\">\(values) with fewer \(FunnelWords.actors(result.funnel)) at step 1 are not shown.</p>"
    }

    /// The counts of all steps, for funnels with steps between the first and the last.
    private static func table(_ result: FunnelResult, _ parts: [BreakdownResult]) -> Markup {
        let head = ["value"] + result.steps.map { TerminalText.visible($0.name) } + ["median from first"]
        let rows = parts.map { part in
            let median = part.steps[part.steps.count - 1].medianFromFirst.map(HumanText.duration) ?? "–"
            let cells = part.steps.map { HumanText.count($0.count) } + [median]
            return Chart.row(fullName(part.value), cells.map { "\($0)" })
        }
        return Chart.table("All counts of the breakdown", of: result.funnel, head, rows)
    }
}
