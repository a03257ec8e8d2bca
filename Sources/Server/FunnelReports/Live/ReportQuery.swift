import FlowEvents
import Funnels

/// The options of a report as the query of a URL: `last=28d&by=week&compare`.
///
/// The parameters have the names of the options of `funnel-report`. Equal reports have equal values and texts.
package struct ReportQuery: Sendable, Hashable {
    /// A parameter: its name, what it takes, and what it does.
    package struct Parameter: Sendable, Hashable {
        /// The name, which is the option's without its dashes.
        package let name: String
        /// The form of the value; empty for a flag, which takes no value, `1`, `true`, `0` or `false`.
        package let value: String
        /// What the parameter does.
        package let help: String
    }

    /// All parameters.
    package static let parameters = [
        Parameter(name: "from", value: "YYYY-MM-DD", help: "The first day, included."),
        Parameter(name: "to", value: "YYYY-MM-DD", help: "The last day, included."),
        Parameter(
            name: "last",
            value: "N(d|w|m)",
            help: "The last days, such as 7d, 4w or 3m; not together with from."
        ),
        Parameter(name: "settled", value: "", help: "Leaves out open days."),
        Parameter(name: "by", value: "day|week|month", help: "Also reports each day, week or month."),
        Parameter(
            name: "compare",
            value: "",
            help: "Compares with the same number of days before; it needs from and to, or last."
        ),
        Parameter(name: "times", value: "", help: "Also reports percentiles and a histogram of the times."),
    ]

    /// The greatest length of a query, in bytes.
    package static let maximumLength = 512

    private(set) var from: Day?
    private(set) var to: Day?
    private(set) var last: LastDays?
    private(set) var isSettledOnly = false
    private(set) var interval: TrendInterval?
    private(set) var isCompared = false
    private(set) var hasTimes = false

    /// Creates a query without options: all days.
    package init() {}

    /// Reads the query of a URL, without its `?`. Parameters without a value are as if they were left out, except for
    /// flags.
    ///
    /// - Throws: ``ReportQueryError``.
    package init(_ text: String) throws(ReportQueryError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw ReportQueryError("the query is longer than \(Self.maximumLength) bytes")
        }
        var seen: Set<String> = []
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(parts[0])
            let value = parts.count > 1 ? try Self.decoded(parts[1]) : nil
            guard let parameter = Self.parameters.first(where: { $0.name == name }) else {
                throw ReportQueryError("there is no parameter '\(TerminalText.visible(name))'")
            }
            guard seen.insert(name).inserted else { throw ReportQueryError("the parameter '\(name)' is there twice") }
            if parameter.value.isEmpty || !(value ?? "").isEmpty { try set(name, to: value ?? "") }
        }
        do {
            try check()
        } catch {
            throw ReportQueryError(error.description, query: self)
        }
    }

    private mutating func set(_ name: String, to value: String) throws(ReportQueryError) {
        switch name {
        case "from": from = try Self.read(value, name) { Day($0) }
        case "to": to = try Self.read(value, name) { Day($0) }
        case "last": last = try Self.read(value, name) { LastDays($0) }
        case "by": interval = try Self.read(value, name) { TrendInterval(rawValue: $0) }
        case "settled": isSettledOnly = try Self.read(value, name, Self.flag)
        case "compare": isCompared = try Self.read(value, name, Self.flag)
        default: hasTimes = try Self.read(value, name, Self.flag)
        }
    }

    private static func flag(_ text: String) -> Bool? {
        switch text {
        case "", "1", "true": true
        case "0", "false": false
        default: nil
        }
    }

    private static func read<Value>(
        _ text: String,
        _ name: String,
        _ value: (String) -> Value?
    ) throws(ReportQueryError) -> Value {
        if let value = value(text) { return value }
        throw ReportQueryError("'\(TerminalText.visible(text))' is not a value of the parameter '\(name)'")
    }

    private func check() throws(ReportQueryError) {
        if from != nil, last != nil { throw ReportQueryError("'last' and 'from' exclude each other: give one of them") }
        if isCompared, last == nil, from == nil || to == nil {
            throw ReportQueryError("'compare' needs a first and a last day: give 'from' and 'to', or 'last'")
        }
        do {
            try request(nil).check()
        } catch {
            throw ReportQueryError(error.description)
        }
    }

    /// Returns the request for the report of some funnels, or of all.
    package func request(_ funnels: [String]?) -> ReportRequest {
        ReportRequest(
            funnels: funnels,
            days: last.map { .last($0, upTo: to) } ?? .between(from, to),
            isSettledOnly: isSettledOnly,
            trend: interval,
            isCompared: isCompared,
            hasTimes: hasTimes
        )
    }

    /// The query of a URL, without its `?`.
    var text: String {
        let values = [
            ("from", from?.description), ("to", to?.description), ("last", last?.description),
            ("by", interval?.rawValue),
        ]
        let flags = [("settled", isSettledOnly), ("compare", isCompared), ("times", hasTimes)]
        return
            (values.compactMap { name, value in value.map { "\(name)=\($0)" } }
            + flags.filter(\.1).map(\.0)).joined(separator: "&")
    }

    /// Decodes percent encoding and `+`, as forms send them.
    private static func decoded(_ text: Substring) throws(ReportQueryError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
                guard digits.count == 2 else { throw ReportQueryError("the query is not percent-encoded") }
                bytes.append(UInt8(digits[0] * 16 + digits[1]))
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw ReportQueryError("the query is not UTF-8")
        }
        return decoded
    }
}

/// A query that asks for no report.
package struct ReportQueryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistake, as a sentence for people.
    package let description: String
    /// The query, where only its parts do not fit together.
    package let query: ReportQuery?

    init(_ description: String, query: ReportQuery? = nil) {
        self.description = description
        self.query = query
    }

    /// The parameters, one in a line.
    package static let usage = {
        let lines = ReportQuery.parameters.map { parameter in
            "  " + (parameter.value.isEmpty ? parameter.name : "\(parameter.name)=\(parameter.value)") + "  "
                + parameter.help
        }
        return "The parameters are:\n" + lines.joined(separator: "\n") + "\n"
    }()
}
