import FlowEvents
import FunnelConsumer
import RDKafka

/// Formats dead letters for a terminal. Control characters in them are escaped.
struct DeadLetterText {
    private let reason: String?
    private var counts: [String: Int] = [:]
    private var lines: [String] = []

    /// Creates an empty text.
    ///
    /// - Parameter reason: lists the letters of this reason; `nil` counts the letters of each reason.
    init(reason: String?) {
        self.reason = reason
    }

    /// Adds a letter.
    mutating func add(_ letter: DeadLetterRecord) {
        let found = letter.header("reason") ?? "(none)"
        counts[found, default: 0] += 1
        guard found == reason else { return }
        func header(_ name: String) -> String { letter.header(name) ?? "?" }
        let origin = "\(header("topic")) \(header("partition")):\(header("offset"))"
        let line = "\(letter.partition):\(letter.offset)  from \(origin)  \(header("detail"))"
        lines.append(TerminalText.visible(line))
    }

    /// One line for each letter of the reason. Without a reason, one line for each reason, the most frequent first.
    var list: String {
        if let reason {
            guard lines.isEmpty else { return lines.map { $0 + "\n" }.joined() }
            let others = counts.keys.sorted().map(TerminalText.visible).joined(separator: ", ")
            let found = counts.isEmpty ? "" : "; the reasons in this topic are \(others)"
            return "no dead letter has the reason \(TerminalText.visible(reason))\(found)\n"
        }
        guard !counts.isEmpty else { return "no dead letters\n" }
        let width = String(counts.values.max() ?? 0).count
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { reason, count in
                let count = String(count)
                let padding = String(repeating: " ", count: width - count.count)
                return "\(padding)\(count)  \(TerminalText.visible(reason))\n"
            }
            .joined()
    }

    /// Returns one letter with its headers, its key and its value.
    static func letter(_ letter: DeadLetterRecord) -> String {
        let headers = letter.headers.map { "\(TerminalText.visible($0.name)): \(text($0.value))" }
        return (headers + ["key: \(text(letter.key))", "", text(letter.value)]).joined(separator: "\n") + "\n"
    }

    private static func text(_ bytes: [UInt8]?) -> String {
        bytes.map { TerminalText.visible(String(decoding: $0, as: UTF8.self)) } ?? "(none)"
    }
}
