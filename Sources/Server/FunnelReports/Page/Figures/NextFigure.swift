import FlowEvents
import Funnels

/// Where those went who came no further than a step, as small bars.
enum NextFigure {
    /// The greatest number of places in a table. The JSON has all.
    private static let rowCount = 50

    static func markup(_ next: NextPlaces) -> Markup {
        let (shown, rest) = FunnelWords.places(next)
        guard let greatest = shown.first?.count, greatest > 0 else { return "" }
        let items = shown.map { place in
            """
            <li><span>\(Markup.foreign(place.value))</span><svg width="100%" height="10" aria-hidden="true">\
            <rect class="fill" width="\(Chart.percent(Double(place.count) / Double(greatest)))" height="100%" rx="1.5"/>\
            </svg><span>\(HumanText.count(place.count))</span></li>
            """ as Markup
        }
        let more: Markup = rest.map { "<li><span>… and \($0)</span></li>" } ?? ""
        return "<p class=\"note\">where they went:</p><ul class=\"went\">\(items)\(more)</ul>"
    }

    /// The places of all steps.
    static func table(_ result: FunnelResult) -> Markup {
        let rows = result.steps.flatMap { step -> [Markup] in
            guard let next = step.next, !next.places.isEmpty else { return [] }
            let total = next.places.reduce(0) { $0 + $1.count }
            let rows = next.places.prefix(rowCount).map { place in
                let share = next.leftOutCount == 0 ? HumanText.percentage(place.count, of: total) ?? "–" : "–"
                let cells: [Markup] = [
                    Markup.foreign(place.value), "\(HumanText.count(place.count))", "\(share)",
                ]
                return Chart.row(Markup.foreign(step.name), cells)
            }
            let hidden = next.places.count - rows.count + next.leftOutCount
            guard hidden > 0 else { return rows }
            return rows + [Chart.row(Markup.foreign(step.name), ["… and \(HumanText.count(hidden)) more", "", ""])]
        }
        guard !rows.isEmpty else { return "" }
        let head = ["came no further than", "went to", FunnelWords.actors(result.funnel), "of these"]
        return Chart.table("All places where people went", of: result.funnel, head, rows)
    }
}
