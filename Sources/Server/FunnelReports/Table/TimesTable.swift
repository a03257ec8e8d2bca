import FlowEvents
import Funnels

/// The lines of the distributions of times: percentiles and a small histogram for each step.
enum TimesTable {
    private static let barWidth = 32

    /// The blocks of lines, one for each distribution.
    static func blocks(_ result: FunnelResult, style: TableStyle) -> [[String]] {
        let names = result.steps.map { TerminalText.visible($0.name) }
        return result.steps.enumerated().flatMap { index, step -> [[String]] in
            guard let times = step.times else { return [] }
            let first = lines(times.fromFirst, "from \(names[0]) to \(names[index])", style)
            let previous = result.funnel.previousRequired(index)
            guard previous > 0 else { return [first] }
            return [first, lines(times.fromPrevious, "from \(names[previous]) to \(names[index])", style)]
        }
    }

    private static func lines(_ times: TimeDistribution, _ title: String, _ style: TableStyle) -> [String] {
        let shown = times.shownHistogram
        guard let greatest = shown.map(\.count).max(), greatest > 0 else {
            return [style.apply(.detail, to: "time \(title): nobody got there")]
        }
        let total = shown.reduce(0) { $0 + $1.count }
        var columns = TableColumns()
        for bucket in shown {
            let share = HumanText.percentage(bucket.count, of: total) ?? ""
            columns.add([FunnelWords.bounds(bucket), HumanText.count(bucket.count), share])
        }
        let rows = zip(columns.lines(), shown).map { line, bucket in
            let eighths = bucket.count == 0 ? 0 : max(1, bucket.count * barWidth * 8 / greatest)
            return bucket.count == 0 ? line : line + "  " + style.apply(.bar, to: StepLayout.bar(eighths, 0))
        }
        let percentiles = FunnelWords.percentiles(times).joined(separator: ", ")
        return [style.apply(.detail, to: "time \(title)")] + ["    " + percentiles] + rows
    }
}

extension TimeDistribution {
    /// The histogram without the empty buckets at its beginning and its end.
    var shownHistogram: [Bucket] {
        guard let first = histogram.firstIndex(where: { $0.count != 0 }),
            let last = histogram.lastIndex(where: { $0.count != 0 })
        else { return [] }
        return Array(histogram[first...last])
    }
}
