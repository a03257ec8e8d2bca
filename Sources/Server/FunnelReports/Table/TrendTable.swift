import FlowEvents
import Funnels

/// The lines of a trend: a sparkline, and a row for each bucket.
enum TrendTable {
    private static let levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    static func lines(_ result: FunnelResult, style: TableStyle) -> [String] {
        guard let trend = result.trend, let first = result.steps.first, let last = result.steps.last else { return [] }
        guard !trend.isEmpty else { return [style.apply(.detail, to: "no days to show")] }
        let hasConversion = result.steps.count > 1
        let names = [first.name, last.name].map(TerminalText.visible)
        var columns = TableColumns()
        let captions = ["entered", fit(names[0])] + (hasConversion ? [fit(names[1]), "of first", "95% interval"] : [])
        columns.add(captions + [""])
        for bucket in trend { columns.add(row(bucket, hasConversion: hasConversion)) }
        let rows = columns.lines(leftAligned: [0, captions.count])
        let title = hasConversion ? "\(names[1]) of \(names[0]), over time" : "\(names[0]), over time"
        let sparkline = sparkline(trend, hasConversion: hasConversion)
        return [style.apply(.detail, to: title)]
            + wrapped(sparkline, width: max(10, style.width - 4)).map { "    " + style.apply(.bar, to: $0) }
            + [style.apply(.detail, to: rows[0])] + rows.dropFirst()
            + (FunnelWords.openNote(result).map { TextWrap.lines("open: " + $0, style: style) } ?? [])
    }

    private static func fit(_ name: String) -> String {
        TerminalText.width(name) > 14 ? TerminalText.fit(name, columns: 14) : name
    }

    private static func row(_ bucket: TrendBucket, hasConversion: Bool) -> [String] {
        let (first, last) = (bucket.steps[0], bucket.steps[bucket.steps.count - 1])
        let interval =
            last.conversionFromFirstInterval.map(HumanText.percentages) ?? (first.count == 0 ? "–" : "too few to say")
        let conversion = [
            HumanText.count(last.count), HumanText.percentage(last.count, of: first.count) ?? "–", interval,
        ]
        return [FunnelWords.bucket(bucket), HumanText.count(first.count)] + (hasConversion ? conversion : [])
            + [bucket.state == .open ? "open" : ""]
    }

    /// One character for each bucket, from 0 to the greatest value. A bucket without actors is a dot.
    private static func sparkline(_ trend: [TrendBucket], hasConversion: Bool) -> [String] {
        let values = trend.map { bucket -> Double? in
            let (first, last) = (bucket.steps[0].count, bucket.steps[bucket.steps.count - 1].count)
            guard first > 0 else { return nil }
            return hasConversion ? Double(last) / Double(first) : Double(first)
        }
        let greatest = values.compactMap { $0 }.max() ?? 0
        return values.map { value in
            guard let value else { return "·" }
            return greatest == 0 ? levels[0] : levels[Int(value / greatest * 7 + 0.5)]
        }
    }

    private static func wrapped(_ characters: [String], width: Int) -> [String] {
        stride(from: 0, to: characters.count, by: width).map {
            characters[$0..<min($0 + width, characters.count)].joined()
        }
    }
}

/// Breaks sentences into lines.
enum TextWrap {
    /// Returns the text as lines of at most the style's width, where its words allow it.
    static func lines(_ text: String, as look: TableStyle.Look = .detail, style: TableStyle) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, TerminalText.width(line) + 1 + TerminalText.width(String(word)) > style.width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [line]).map { style.apply(look, to: $0) }
    }
}
