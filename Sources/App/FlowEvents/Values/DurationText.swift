/// The text form of durations in configuration files: `30m`, `1h30m`, `500ms`.
///
/// A duration is one or more whole numbers, each followed by its unit `d`, `h`, `m`, `s` or `ms`. As in
/// [Prometheus](https://prometheus.io/docs/prometheus/latest/querying/basics/#float-literals-and-time-durations),
/// units go from the longest to the shortest, each at most once: `30m1h` is more likely a mistake.
package enum DurationText {
    /// A description of the form for error messages, to follow "expected".
    package static let form = "a duration such as 30m, 1h30m or 500ms (units d h m s ms, the longest first)"

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60000), ("s", 1000), ("ms", 1),
    ]

    /// Reads a duration; `nil` for any other form and for a duration whose milliseconds do not fit in 64 bits.
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

    /// Writes a duration in the same form, without rounding: 5,400,000 is `1h30m`.
    ///
    /// - Parameter milliseconds: 0 or more.
    package static func text(_ milliseconds: Int64) -> String {
        var rest = milliseconds
        var text = ""
        for (name, size) in units where rest >= size {
            text += "\(rest / size)\(name)"
            rest %= size
        }
        return text.isEmpty ? "0s" : text
    }
}
