/// The syntax of names and values in Prometheus' text format.
enum PrometheusText {
    /// The text as the name of a metric or a label: every character that is not allowed becomes `_`.
    static func name(_ text: String) -> String {
        let name = String(text.unicodeScalars.map { isAllowed($0) ? Character($0) : "_" })
        return name.first.map { $0.isNumber } ?? true ? "_" + name : name
    }

    /// The number in its shortest form.
    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        if value == -.infinity { return "-Inf" }
        if value.isNaN { return "NaN" }
        return Int64(exactly: value).map(String.init) ?? value.description
    }

    /// The help text, escaped to one line.
    static func help(_ text: String) -> String {
        escaped(text, quotes: false)
    }

    /// A label's value, escaped to be written between quotes.
    static func value(_ text: String) -> String {
        escaped(text, quotes: true)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\"" where quotes: output += "\\\""
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ":": true
        default: false
        }
    }
}

/// The labels of one series, in the order of their names.
struct PrometheusLabels: Hashable, Comparable, CustomStringConvertible {
    private let pairs: [[String]]

    init(_ dimensions: [(String, String)]) {
        pairs = dimensions.map { [PrometheusText.name($0.0), $0.1] }.sorted { $0[0] < $1[0] }
    }

    /// The same labels and one more at the end.
    func adding(_ name: String, _ value: String) -> PrometheusLabels {
        PrometheusLabels(pairs: pairs + [[name, value]])
    }

    private init(pairs: [[String]]) {
        self.pairs = pairs
    }

    /// `{name="value",…}`, or an empty text if there are no labels.
    var description: String {
        guard !pairs.isEmpty else { return "" }
        return "{" + pairs.map { "\($0[0])=\"\(PrometheusText.value($0[1]))\"" }.joined(separator: ",") + "}"
    }

    static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.pairs.lexicographicallyPrecedes(rhs.pairs) { $0.lexicographicallyPrecedes($1) }
    }
}
