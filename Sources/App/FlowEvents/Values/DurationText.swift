/// Reads and writes durations as text: `30m`, `1h30m`, `500ms`.
///
/// ```swift
/// DurationText.milliseconds("1h30m")   // 5_400_000
/// DurationText.text(5_400_000)         // "1h30m"
/// ```
///
/// A duration is one or more whole numbers, each with a unit: `d`, `h`, `m`, `s` or `ms`. As in
/// [Prometheus](https://prometheus.io/docs/prometheus/latest/querying/basics/#float-literals-and-time-durations),
/// units go from the longest to the shortest and occur once each: `30m1h` is probably a mistake, so it is refused.
package enum DurationText {
    /// The format, for error messages that begin with "expected".
    package static let form = "a duration such as 30m, 1h30m or 500ms (units w d h m s ms, the longest first)"

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60000), ("s", 1000), ("ms", 1),
    ]

    /// Reads a duration. Returns `nil` for any other text, and if the milliseconds do not fit in 64 bits.
    package static func milliseconds(_ text: String) -> Int64? {
        var rest = Substring(text)
        var sum: Int64 = 0
        var nextUnit = 0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            rest.removeFirst(digits.count)
            let name = rest.prefix { ("a"..."z").contains($0) }
            rest.removeFirst(name.count)
            guard let value = Int64(digits), let unit = units.firstIndex(where: { $0.name == name }), unit >= nextUnit
            else { return nil }
            let (part, partOverflow) = value.multipliedReportingOverflow(by: units[unit].milliseconds)
            let (total, sumOverflow) = sum.addingReportingOverflow(part)
            guard !partOverflow, !sumOverflow else { return nil }
            sum = total
            nextUnit = unit + 1
        }
        return sum
    }

    /// Writes a duration exactly, in the format that ``milliseconds(_:)`` reads.
    ///
    /// - Parameter milliseconds: the duration, which must not be negative.
    package static func text(_ milliseconds: Int64) -> String {
        var rest = milliseconds
        var text = ""
        // Weeks are not written: 9d is easier to read than 1w2d.
        for (name, size) in units where name != "w" && rest >= size {
            text += "\(rest / size)\(name)"
            rest %= size
        }
        return text.isEmpty ? "0s" : text
    }
}
