import FlowEvents
import Funnels

/// Formats figures for people, without the formatters of Foundation, which depend on the locale and take milliseconds
/// to start.
enum HumanText {
    /// A count with thousands separators: `57,195`.
    static func count(_ value: some BinaryInteger) -> String {
        let digits = String(value.magnitude)
        var output = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { output += "," }
            output.append(digit)
        }
        return (value < 0 ? "-" : "") + output
    }

    /// A count with its noun: `1 dead letter`, `12 dead letters`.
    static func count(_ value: Int64, _ singular: String) -> String {
        "\(count(value)) \(singular)\(value == 1 ? "" : "s")"
    }

    /// A ratio in percent with one decimal, rounded half up: `85.8%`; `nil` where the denominator is 0.
    ///
    /// It is computed from the counts, because rounding a rounded ratio again can give a wrong last digit.
    static func percentage(_ numerator: Int, of denominator: Int) -> String? {
        guard denominator > 0 else { return nil }
        let tenths = (numerator * 2000 + denominator) / (denominator * 2)
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// A ratio in percent with one decimal: `13.5%`.
    static func percentage(_ ratio: Ratio) -> String {
        tenths(ratio) + "%"
    }

    /// The bounds of an interval in percent: `12.5% to 14.6%`.
    static func percentages(_ interval: ScoreInterval) -> String {
        "\(percentage(interval.low)) to \(percentage(interval.high))"
    }

    /// A difference in percentage points, with its sign: `+0.7`, `-2.1`, `0.0`.
    static func points(_ ratio: Ratio) -> String {
        (ratio.thousandths > 0 ? "+" : "") + tenths(ratio)
    }

    private static func tenths(_ ratio: Ratio) -> String {
        let tenths = ratio.thousandths.magnitude
        return "\(ratio.thousandths < 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
    }

    /// A moment to the minute: `2026-11-20 10:15 UTC`.
    static func moment(_ time: Timestamp) -> String {
        let text = time.description
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }

    /// A duration in one or two units, rounded half up: `400ms`, `4.0s`, `42s`, `6m 40s`, `2h 5m`, `3d 4h`.
    ///
    /// - Parameter milliseconds: 0 or more.
    static func duration(_ milliseconds: Int64) -> String {
        if milliseconds < 1000 { return "\(milliseconds)ms" }
        let tenths = rounded(milliseconds, to: 100)
        if tenths < 100 { return "\(tenths / 10).\(tenths % 10)s" }
        let seconds = rounded(milliseconds, to: 1000)
        if seconds < 60 { return "\(seconds)s" }
        if seconds < 3600 { return pair(seconds, 60, "m", "s") }
        let minutes = rounded(milliseconds, to: 60000)
        if minutes < 24 * 60 { return pair(minutes, 60, "h", "m") }
        return pair(rounded(milliseconds, to: 3_600_000), 24, "d", "h")
    }

    private static func rounded(_ value: Int64, to unit: Int64) -> Int64 {
        (value + unit / 2) / unit
    }

    private static func pair(_ value: Int64, _ size: Int64, _ large: String, _ small: String) -> String {
        value % size == 0 ? "\(value / size)\(large)" : "\(value / size)\(large) \(value % size)\(small)"
    }
}
