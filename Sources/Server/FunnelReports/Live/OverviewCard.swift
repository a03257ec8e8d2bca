import FlowEvents
import Funnels

/// One funnel on the overview: the conversion of the last two weeks, their days as a line, and the change.
struct OverviewCard {
    private let result: FunnelResult

    init(_ result: FunnelResult) {
        self.result = result
    }

    private var name: String { result.funnel.name }
    private var hasConversion: Bool { result.steps.count > 1 }

    var markup: Markup {
        let description =
            result.funnel.description.map { "<p class=\"description\">\(Markup.foreign($0))</p>" as Markup } ?? ""
        return """
            <li class="card"><h2><a href="funnels/\(name)">\(name)</a></h2>\(description)\(sentence)\(figure)\(change)\
            <ul class="meta"><li>\(days)</li><li>\(settled)</li></ul></li>

            """
    }

    private var days: String {
        guard let from = result.from, let to = result.to else { return "no days with entries" }
        return HumanText.dates(from, to)
    }

    private var settled: String {
        result.states.settledTo.map { "settled to \(HumanText.date($0))" } ?? "no day is settled"
    }

    private var sentence: Markup {
        let (first, last) = (result.steps[0], result.steps[result.steps.count - 1])
        let actors = FunnelWords.actors(result.funnel)
        guard first.count > 0 else { return "<p class=\"say\">No \(actors) yet.</p>" }
        let count = "\(HumanText.count(first.count)) \(actors)"
        guard hasConversion, let share = HumanText.percentage(last.count, of: first.count) else {
            return "<p class=\"say\"><strong>\(HumanText.count(first.count))</strong> \(actors)</p>"
        }
        return "<p class=\"say\"><strong>\(share)</strong> of \(count) reached <b>\(Markup.foreign(last.name))</b></p>"
    }

    private var change: Markup {
        guard let step = result.comparison?.steps.last, let difference = step.difference else { return "" }
        let note = FunnelWords.openComparisonNote(result) == nil ? "" : "; not all days are settled"
        return """
            <p class="change"><b>\(HumanText.points(difference)) points</b> since the 14 days before, \
            \(FunnelWords.verdict(step.differenceInterval))\(note)</p>
            """
    }

    // MARK: - The line

    private struct Point {
        var bucket: TrendBucket
        var value: Double?
    }

    private var points: [Point] {
        (result.trend ?? []).map { bucket in
            let (first, last) = (bucket.steps[0].count, bucket.steps[bucket.steps.count - 1].count)
            let share = first == 0 ? nil : Double(last) / Double(first)
            return Point(bucket: bucket, value: hasConversion ? share : Double(first))
        }
    }

    private var figure: Markup {
        let points = points
        let known = points.compactMap(\.value)
        guard points.count > 1, let greatest = known.max(), greatest > 0 else { return "" }
        let title = hasConversion ? "Conversion by day" : "Count by day"
        let id = "\(name)-days"
        let open = points.firstIndex { $0.bucket.state == .open } ?? points.count
        let positions = points.enumerated().map { index, point in
            point.value.map { value in
                (index: index, x: (Double(index) + 0.5) / Double(points.count), y: 1 - value / greatest)
            }
        }
        let settled = positions.prefix(open).compactMap { $0 }
        let unsettled = positions.dropFirst(max(0, open - 1)).compactMap { $0 }
        let hatch: Markup =
            open == points.count
            ? ""
            : """
            <rect x="\(Chart.percent(Double(open) / Double(points.count)))" y="0" height="100%" fill="url(#hatch)" \
            width="\(Chart.percent(1 - Double(open) / Double(points.count)))"/>
            """
        let summary = known.count > 1 ? "From \(text(points.first)) to \(text(points.last))" : ""
        return """
            <figure><svg class="spark" role="img" aria-labelledby="\(id)-t \(id)-d">\
            \(Chart.words(id, title: "\(title) of \(name)", description: summary))\(hatch)\
            <svg width="100%" height="100%" viewBox="0 -40 1000 1080" preserveAspectRatio="none">\
            <line class="grid" x1="0" x2="1000" y1="1000" y2="1000" vector-effect="non-scaling-stroke"/>\
            \(line(settled.map { ($0.x, $0.y) }, "line"))\(line(unsettled.map { ($0.x, $0.y) }, "line dashed"))</svg></svg>\
            \(table(points, title))</figure>
            """
    }

    private func line(_ points: [(x: Double, y: Double)], _ look: String) -> Markup {
        guard points.count > 1 else { return "" }
        let text = points.map { "\(Chart.number($0.x * 1000)),\(Chart.number($0.y * 1000))" }.joined(separator: " ")
        return "<polyline class=\"\(look)\" vector-effect=\"non-scaling-stroke\" points=\"\(text)\"/>"
    }

    private func text(_ point: Point?) -> String {
        guard let bucket = point?.bucket else { return "" }
        return "\(value(bucket)) on \(HumanText.date(bucket.from))"
    }

    private func value(_ bucket: TrendBucket) -> String {
        let (first, last) = (bucket.steps[0].count, bucket.steps[bucket.steps.count - 1].count)
        return hasConversion ? HumanText.percentage(last, of: first) ?? "–" : HumanText.count(first)
    }

    private func table(_ points: [Point], _ title: String) -> Markup {
        let actors = FunnelWords.actors(result.funnel)
        let head = ["entered", actors] + (hasConversion ? ["of first"] : []) + ["state"]
        let rows = points.map { point in
            let cells =
                [HumanText.count(point.bucket.steps[0].count)] + (hasConversion ? [value(point.bucket)] : [])
                + [point.bucket.state.rawValue]
            return Chart.row("\(HumanText.date(point.bucket.from))", cells.map { "\($0)" })
        }
        return Chart.table(title, of: result.funnel, head, rows)
    }
}
