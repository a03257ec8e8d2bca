import Yams

extension ConfigurationError {
    /// Says what Yams found in `text`, and in which line of `file`.
    init(_ error: YamlError, text: String, file: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let place = context.map { " (\($0.text) that begins in line \($0.mark.line))" } ?? ""
            self.init(place: file, line: mark.line, message: "not valid YAML: \(problem)\(place)")
        case .reader(let problem, _, _, _):
            self.init(place: file, line: Self.lineOfControl(in: text), message: "not valid YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            let key = keys.first.map { "'\($0)' " } ?? ""
            let line = Self.lineOfRepeat(in: text, after: context.mark.line)
            let first = line == context.mark.line ? "" : ", first in line \(context.mark.line)"
            self.init(
                place: file,
                line: line,
                message: "the key \(key)stands more than once in its mapping\(first): expected each key once"
            )
        default:
            self.init(place: file, message: "not valid YAML: \(error)")
        }
    }

    // libyaml gives a byte offset that Yams turns into characters; the line is easier found again.
    private static func lineOfControl(in text: String) -> Int {
        let control = text.unicodeScalars.firstIndex {
            $0.properties.generalCategory == .control && !["\t", "\n", "\r", "\u{85}"].contains($0)
        }
        let before = text.unicodeScalars[..<(control ?? text.unicodeScalars.startIndex)]
        return 1 + before.count { $0 == "\n" }
    }

    // Yams tells where a key stood first, a person looks for where it stands again: the shortest beginning of the text
    // with a repeated key ends there. A flow mapping over several lines counts as ending where it is closed.
    private static func lineOfRepeat(in text: String, after first: Int) -> Int {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard first < lines.count else { return first }
        for line in first..<lines.count {
            let beginning = lines[..<line].joined(separator: "\n")
            do {
                _ = try Parser(yaml: beginning, resolver: .basic, encoding: .utf8).nextRoot()
            } catch YamlError.duplicatedKeysInMapping {
                return line
            } catch {
                continue
            }
        }
        return lines.count
    }
}
