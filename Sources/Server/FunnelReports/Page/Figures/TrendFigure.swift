import FlowEvents
import Funnels

/// The trend of a funnel as a line with its interval, open days hatched.
struct TrendFigure {
    private static let top = 26.0
    private static let height = 150.0

    private let result: FunnelResult
    private let points: [Point]
    private let scale: ChartScale
    private let hasConversion: Bool

    private struct Point {
        var bucket: TrendBucket
        /// The conversion, or the count where the funnel has one step; `nil` where nobody entered.
        var value: Double?
        var interval: (low: Double, high: Double)?
        var isOpen: Bool
    }

    static func markup(_ result: FunnelResult) -> Markup {
        guard let trend = result.trend, trend.count > 1, result.steps[0].count > 0 else { return "" }
        return TrendFigure(result, trend).markup
    }

    private init(_ result: FunnelResult, _ trend: [TrendBucket]) {
        self.result = result
        let hasConversion = result.steps.count > 1
        points = trend.map { bucket in
            let (first, last) = (bucket.steps[0], bucket.steps[bucket.steps.count - 1])
            let conversion = first.count == 0 ? nil : Double(last.count) / Double(first.count)
            let interval = last.conversionFromFirstInterval.map {
                (low: Double($0.low.tenThousandths) / 10_000, high: Double($0.high.tenThousandths) / 10_000)
            }
            return Point(
                bucket: bucket,
                value: hasConversion ? conversion : Double(first.count),
                interval: hasConversion ? interval : nil,
                isOpen: bucket.state == .open
            )
        }
        self.hasConversion = hasConversion
        // The intervals of days with few actors are clipped, so that they do not make the line flat.
        let values = points.compactMap(\.value)
        let bounds = points.filter { !$0.isOpen }.compactMap { $0.interval?.high }
        let greatest = values.max() ?? 0
        scale = ChartScale(
            reaching: min(max(greatest, bounds.max() ?? 0), hasConversion ? min(1, greatest * 1.5) : greatest)
        )
    }

    private func x(_ index: Int) -> Double { (Double(index) + 0.5) / Double(points.count) }

    private func y(_ value: Double) -> Double { Self.top + Self.height * scale.depth(value) }

    private var markup: Markup {
        let id = "\(result.funnel.name)-trend"
        let names = (
            TerminalText.visible(result.steps[0].name), TerminalText.visible(result.steps[result.steps.count - 1].name)
        )
        let title = hasConversion ? "How many reached \(names.1), by when they entered" : "How many reached \(names.0)"
        let axis = scale.ticks.map { tick in
            "<text x=\"36\" y=\"\(Chart.number(y(tick) + 4))\" text-anchor=\"end\">\(caption(tick))</text>" as Markup
        }
        let grid = scale.ticks.map { tick in
            let y = Chart.number(y(tick))
            return "<line class=\"\(tick == 0 ? "base" : "grid")\" x1=\"0\" x2=\"100%\" y1=\"\(y)\" y2=\"\(y)\"/>"
                as Markup
        }
        return """
            <figure aria-labelledby="\(id)-c"><figcaption id="\(id)-c">\(heading)</figcaption><div class="plot">\
            <svg width="42" height="206" aria-hidden="true">\(axis)</svg>\
            <svg width="100%" height="206" role="img" aria-labelledby="\(id)-t \(id)-d">\
            \(Chart.words(id, title: title, description: description))\(grid)\(hatches)\
            <svg y="\(Int(Self.top))" width="100%" height="\(Int(Self.height))" viewBox="0 0 1000 1000" \
            preserveAspectRatio="none">\(band)\(lines)</svg>\(dots)\(label)\(days)</svg></div>\(note)\(table)</figure>
            """
    }

    private var heading: Markup {
        let (first, last) = (result.steps[0], result.steps[result.steps.count - 1])
        return hasConversion
            ? "How many reach <b>\(Markup.foreign(last.name))</b>, by when they entered"
            : "How many reach <b>\(Markup.foreign(first.name))</b>, by when they entered"
    }

    private var description: String {
        let known = points.filter { $0.value != nil }
        guard let first = known.first, let last = known.last(where: { !$0.isOpen }) ?? known.last else { return "" }
        let open = points.count(where: \.isOpen)
        return "From \(text(first)) to \(text(last))" + (open > 0 ? "; \(open) not settled yet" : "")
    }

    private func text(_ point: Point, hasYear: Bool = true) -> String {
        let value =
            hasConversion
            ? HumanText.percentage(
                point.bucket.steps[point.bucket.steps.count - 1].count,
                of: point.bucket.steps[0].count
            ) ?? "–"
            : HumanText.count(point.bucket.steps[0].count)
        guard hasYear || point.bucket.from != point.bucket.to else {
            return "\(value) on \(HumanText.date(point.bucket.from, hasYear: false))"
        }
        return "\(value) on \(HumanText.dates(point.bucket.from, point.bucket.to))"
    }

    private func caption(_ tick: Double) -> String {
        hasConversion ? "\(Chart.number(tick * 100))%" : HumanText.count(Int(tick.rounded()))
    }

    /// The open buckets, which most often are the last ones.
    private var hatches: Markup {
        var pieces: [Markup] = []
        var start: Int?
        for index in 0...points.count {
            let isOpen = index < points.count && points[index].isOpen
            if isOpen, start == nil { start = index }
            guard !isOpen, let from = start else { continue }
            let share = Double(from) / Double(points.count)
            pieces.append(
                """
                <rect x="\(Chart.percent(share))" y="\(Int(Self.top))" fill="url(#hatch)" \
                width="\(Chart.percent(Double(index - from) / Double(points.count)))" height="\(Int(Self.height))"/>
                """
            )
            start = nil
        }
        return Markup(pieces)
    }

    private var band: Markup {
        segments { $0.interval != nil }.map { range in
            let upper = range.compactMap { index in points[index].interval.map { position(index, $0.high) } }
            let lower = range.reversed().compactMap { index in points[index].interval.map { position(index, $0.low) } }
            return "<polygon class=\"band\" points=\"\((upper + lower).joined(separator: " "))\"/>"
        }.reduce(into: "") { $0 += $1 }
    }

    /// The line, dashed from the last settled bucket on.
    private var lines: Markup {
        var markup: Markup = ""
        for range in segments({ $0.value != nil }) {
            let open = range.first { points[$0].isOpen } ?? range.upperBound
            markup += line(Array(range.prefix { $0 < open }), "line")
            markup += line(Array(range.drop { $0 < open - 1 }), "line dashed")
        }
        return markup
    }

    private func line(_ indexes: [Int], _ look: String) -> Markup {
        guard indexes.count > 1 else { return "" }
        let positions = indexes.compactMap { index in points[index].value.map { position(index, $0) } }
        return """
            <polyline class="\(look)" vector-effect="non-scaling-stroke" points="\(positions.joined(separator: " "))"/>
            """
    }

    private func position(_ index: Int, _ value: Double) -> String {
        "\(Chart.number(x(index) * 1000)),\(Chart.number(scale.depth(value) * 1000))"
    }

    private func segments(_ isIn: (Point) -> Bool) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for index in points.indices where isIn(points[index]) {
            if let last = result.last, last.upperBound == index {
                result[result.count - 1] = last.lowerBound..<index + 1
            } else {
                result.append(index..<index + 1)
            }
        }
        return result
    }

    /// A dot for each bucket, hollow where it is open or has too few actors.
    private var dots: Markup {
        let radius = points.count > 45 ? "1.7" : "2.8"
        return points.indices.reduce(into: "") { markup, index in
            let point = points[index]
            guard let value = point.value else { return }
            let isSure = !point.isOpen && (point.interval != nil || !hasConversion)
            let actors = HumanText.count(point.bucket.steps[0].count)
            let suffix = (hasConversion ? " of \(actors)" : "") + (point.isOpen ? ", not settled" : "")
            markup += """
                <circle class="\(isSure ? "dot" : "ring")" cx="\(Chart.percent(x(index)))" cy="\(Chart.number(y(value)))" \
                r="\(radius)"><title>\(text(point))\(suffix)</title></circle>
                """
        }
    }

    /// The value of the newest bucket that is settled.
    private var label: Markup {
        guard let index = points.lastIndex(where: { !$0.isOpen && $0.value != nil }), let value = points[index].value
        else { return "" }
        let share = x(index)
        // Above the point and its neighbors, or below them near the top.
        let near = points[max(0, index - points.count / 8)...min(points.count - 1, index + points.count / 8)]
            .compactMap(\.value)
        let above = y(near.max() ?? value) - 12
        let height = above < 12 ? y(near.min() ?? value) + 20 : above
        return """
            <circle class="dot" cx="\(Chart.percent(share))" cy="\(Chart.number(y(value)))" r="4.5"/><text class="label" \
            x="\(Chart.percent(share))" y="\(Chart.number(height))" text-anchor="\(Chart.anchor(share))">\
            \(text(points[index], hasYear: false))</text>
            """
    }

    /// At most four days below the chart, so that they do not touch on a phone.
    private var days: Markup {
        let step = max(1, (points.count + 3) / 4)
        return stride(from: 0, to: points.count, by: step).reduce(into: "") { markup, index in
            let share = x(index)
            let day = HumanText.date(points[index].bucket.from, hasYear: false)
            markup += """
                <text x="\(Chart.percent(share))" y="198" text-anchor="\(share > 0.9 ? "end" : share < 0.1 ? "start" : "middle")">\
                \(day)</text>
                """
        }
    }

    private var note: Markup {
        let open = FunnelWords.openNote(result).map { "Hatched: \($0)." }
        let few =
            points.contains { $0.value != nil && $0.interval == nil } && hasConversion
            ? "Hollow points without a band have fewer than 30 \(FunnelWords.actors(result.funnel))." : nil
        let notes = [open, few].compactMap { $0 }
        return notes.isEmpty ? "" : "<p class=\"note\">\(notes.joined(separator: " "))</p>"
    }

    private var table: Markup {
        let (first, last) = (result.steps[0].name, result.steps[result.steps.count - 1].name)
        let head =
            ["entered", TerminalText.visible(first)]
            + (hasConversion ? [TerminalText.visible(last), "of first", "95% interval"] : []) + ["state"]
        let rows = points.map { point in
            let (first, last) = (point.bucket.steps[0], point.bucket.steps[point.bucket.steps.count - 1])
            let conversion = [
                HumanText.count(last.count), HumanText.percentage(last.count, of: first.count) ?? "–",
                last.conversionFromFirstInterval.map(HumanText.percentages) ?? "–",
            ]
            let cells =
                [HumanText.count(first.count)] + (hasConversion ? conversion : []) + [point.bucket.state.rawValue]
            return Chart.row("\(FunnelWords.bucket(point.bucket))", cells.map { "\($0)" })
        }
        return Chart.table("All figures of the trend", of: result.funnel, head, rows)
    }
}
