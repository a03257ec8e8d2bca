/// The differences between two reports, figure by figure.
///
/// Both are JSON of `funnel-report`: one member per line, and the same report always has the same bytes.
struct ReportDifferences {
    /// The differences: the name of the figure, the expected value and the found value.
    let lines: [String]
    /// The number of compared figures.
    let figureCount: Int

    init(expected: String, found: String) {
        let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let foundLines = found.split(separator: "\n", omittingEmptySubsequences: false)
        var lines: [String] = []
        var figures = 0
        var names: [(depth: Int, text: String)] = []
        for index in 0..<max(expectedLines.count, foundLines.count) {
            let line = index < expectedLines.count ? expectedLines[index] : "nothing"
            let other = index < foundLines.count ? foundLines[index] : "nothing"
            Self.follow(line, &names)
            if Self.isFigure(line) { figures += 1 }
            if line != other {
                let place = names.map(\.text).joined(separator: ", ")
                lines.append("\(place): expected \(Self.trimmed(line)), found \(Self.trimmed(other))")
            }
        }
        self.lines = lines
        figureCount = figures
    }

    // The names of the funnel, the breakdown value and the step of the current line.
    private static func follow(_ line: Substring, _ names: inout [(depth: Int, text: String)]) {
        let text = trimmed(line)
        let depth = line.prefix { $0 == " " }.count
        guard ["\"name\"", "\"value\"", "\"quality\""].contains(where: text.hasPrefix) else { return }
        names.removeAll { $0.depth >= depth }
        names.append((depth, text.split(separator: ": ").last.map(String.init) ?? text))
    }

    private static func isFigure(_ line: Substring) -> Bool {
        line.split(separator: ": ").last?.first?.isNumber ?? false
    }

    private static func trimmed(_ line: Substring) -> String {
        let text = line.drop { $0 == " " }
        return String(text.hasSuffix(",") ? text.dropLast() : text)
    }
}
