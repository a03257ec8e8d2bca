import FlowEvents
import Funnels

/// The distribution of the times from the first step to the last one, with the median and the 90th percentile.
enum TimesFigure {
    private static let top = 52.0
    private static let height = 124.0

    static func markup(_ result: FunnelResult) -> Markup {
        guard let last = result.steps.last, let times = last.times?.fromFirst, let median = times.percentile(50),
            let late = times.percentile(90)
        else { return "" }
        let buckets = times.shownHistogram
        let id = "\(result.funnel.name)-times"
        let names = (Markup.foreign(result.steps[0].name), Markup.foreign(last.name))
        let words = "half within \(HumanText.duration(median)), nine in ten within \(HumanText.duration(late))"
        let title =
            "Time from \(TerminalText.visible(result.steps[0].name)) to \(TerminalText.visible(last.name))"
        return """
            <figure aria-labelledby="\(id)-c"><figcaption id="\(id)-c">How long it takes from <b>\(names.0)</b> to \
            <b>\(names.1)</b>: \(words)</figcaption>\
            <svg width="100%" height="206" role="img" aria-labelledby="\(id)-t \(id)-d">\
            \(Chart.words(id, title: title, description: words))\(bars(buckets))\
            <line class="base" x1="0" x2="100%" y1="\(Int(top + height))" y2="\(Int(top + height))"/>\(edges(buckets))\
            \(mark(median, "median", buckets, y: 12))\(mark(late, "p90", buckets, y: 28))</svg>\
            \(table(result))</figure>
            """
    }

    private static func bars(_ buckets: [TimeDistribution.Bucket]) -> Markup {
        let greatest = Double(buckets.map(\.count).max() ?? 1)
        let total = buckets.reduce(0) { $0 + $1.count }
        return buckets.enumerated().reduce(into: "") { markup, item in
            let (index, bucket) = item
            let share = Double(index) / Double(buckets.count)
            let size = bucket.count == 0 ? 0 : max(1, Double(bucket.count) / greatest * height)
            let percentage = HumanText.percentage(bucket.count, of: total) ?? ""
            // A gap of some pixels between bars, whatever the width.
            markup += """
                <svg x="\(Chart.percent(share))" width="\(Chart.percent(1 / Double(buckets.count)))" height="206">\
                <rect class="fill" x="4%" width="92%" y="\(Chart.number(top + height - size))" \
                height="\(Chart.number(size))"><title>\(FunnelWords.bounds(bucket)): \(HumanText.count(bucket.count)), \
                \(percentage)</title></rect></svg>
                """
        }
    }

    /// The bounds between the bars, at most six of them, so that they do not touch on a phone.
    private static func edges(_ buckets: [TimeDistribution.Bucket]) -> Markup {
        let times = buckets.map(\.from) + [buckets.last?.to].compactMap { $0 }
        let step = max(1, (times.count + 5) / 6)
        return stride(from: 0, to: times.count, by: step).reduce(into: "") { markup, index in
            let share = Double(index) / Double(buckets.count)
            let anchor = share == 0 ? "start" : share == 1 ? "end" : "middle"
            markup += """
                <text x="\(Chart.percent(share))" y="195" text-anchor="\(anchor)">\
                \(times[index] == 0 ? "0" : DurationText.text(times[index]))</text>
                """
        }
    }

    /// A line at a time, with its caption above the bars. Within a bar, times are taken as spread evenly.
    private static func mark(_ time: Int64, _ name: String, _ buckets: [TimeDistribution.Bucket], y: Int) -> Markup {
        guard let index = buckets.firstIndex(where: { $0.from <= time && time < $0.to ?? .max }) else { return "" }
        let bucket = buckets[index]
        let within = bucket.to.map { Double(time - bucket.from) / Double($0 - bucket.from) } ?? 0.5
        let share = (Double(index) + within) / Double(buckets.count)
        let x = Chart.percent(share)
        let isLeft = share > 0.6
        return """
            <line class="mark" x1="\(x)" x2="\(x)" y1="\(y - 9)" y2="\(Int(top + height))"/>\
            <text class="label" x="\(x)" dx="\(isLeft ? "-6" : "6")" y="\(y)" text-anchor="\(isLeft ? "end" : "start")">\
            \(name) \(HumanText.duration(time))</text>
            """
    }

    private static func table(_ result: FunnelResult) -> Markup {
        var rows: [Markup] = []
        var counts: [[Int]] = []
        var head = ["time"]
        for (index, step) in result.steps.enumerated() {
            guard let times = step.times else { continue }
            let previous = result.funnel.previousRequired(index)
            let parts =
                [(result.steps[0].name, times.fromFirst)]
                + (previous > 0 ? [(result.steps[previous].name, times.fromPrevious)] : [])
            for (from, distribution) in parts {
                head.append("\(TerminalText.visible(from)) to \(TerminalText.visible(step.name))")
                counts.append(distribution.histogram.map(\.count))
            }
        }
        let all = result.steps.enumerated().flatMap { index, step -> [TimeDistribution] in
            guard let times = step.times else { return [] }
            let isAfterFirst = result.funnel.previousRequired(index) == 0
            return isAfterFirst ? [times.fromFirst] : [times.fromFirst, times.fromPrevious]
        }
        for percent in TimeDistribution.percents {
            let cells = all.map { $0.percentile(percent).map(HumanText.duration) ?? "–" }
            rows.append(Chart.row("\(percent == 50 ? "median" : "p\(percent)")", cells.map { "\($0)" }))
        }
        guard let buckets = all.first?.histogram else { return "" }
        let filled = buckets.indices.filter { index in counts.contains { $0[index] != 0 } }
        for index in (filled.first ?? 0)..<((filled.last ?? -1) + 1) {
            let cells = counts.map { HumanText.count($0[index]) }
            rows.append(Chart.row("\(FunnelWords.bounds(buckets[index]))", cells.map { "\($0)" }))
        }
        return Chart.table("All figures of the times", of: result.funnel, head, rows)
    }
}
