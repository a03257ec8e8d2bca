import Yams

/// A mistake in a configuration: the file or environment variable, the line, and what was expected.
///
/// ```swift
/// do {
///     funnels = try FunnelsFile.read(path: "config/funnels.yaml")
/// } catch {
///     print(error)   // config/funnels.yaml:7: funnel 'paywall', window: expected a duration such as 30m, …
/// }
/// ```
public struct ConfigurationError: Error, Sendable, Hashable {
    /// The path of the file as the caller gave it, or the name of the environment variable.
    public let source: String
    /// The line in the file, from 1; `nil` if the mistake is not in one line.
    public let line: Int?
    /// The mistake and what was expected.
    public let message: String

    /// Creates an error from its parts.
    public init(source: String, line: Int? = nil, message: String) {
        self.source = source
        self.line = line
        self.message = message
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// The error in the format of compilers, which editors can jump to: `config/funnels.yaml:7: …`.
    public var description: String {
        line.map { "\(source):\($0): \(message)" } ?? "\(source): \(message)"
    }
}

extension ConfigurationError {
    /// Creates an error from Yams' error about `text`, with the line in `file`.
    init(_ error: YamlError, text: String, file: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let start = context.map { " (\($0.text) that begins in line \($0.mark.line))" } ?? ""
            self.init(source: file, line: mark.line, message: "not valid YAML: \(problem)\(start)")
        case .reader(let problem, _, _, _):
            self.init(source: file, line: Self.lineOfControl(in: text), message: "not valid YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            let key = keys.first.map { "'\($0)' " } ?? ""
            let line = Self.lineOfRepeat(in: text, after: context.mark.line)
            let first = line == context.mark.line ? "" : ", first in line \(context.mark.line)"
            self.init(
                source: file,
                line: line,
                message: "the key \(key)occurs more than once in its mapping\(first): expected each key once"
            )
        default:
            self.init(source: file, message: "not valid YAML: \(error)")
        }
    }

    // Yams' offset of the error cannot be turned into a line, so search the text for the control character.
    private static func lineOfControl(in text: String) -> Int {
        let control = text.unicodeScalars.firstIndex {
            $0.properties.generalCategory == .control && !["\t", "\n", "\r", "\u{85}"].contains($0)
        }
        let before = text.unicodeScalars[..<(control ?? text.unicodeScalars.startIndex)]
        return 1 + before.count { $0 == "\n" }
    }

    // Yams reports the line of the first occurrence; the mistake is the second one. It is in the last line of the shortest
    // beginning of the text that has a repeated key. For a flow mapping over several lines, that is the line of its end.
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
