public import Foundation

/// The Swift code of articles, to compare with code that compiles.
///
/// It is public, because the tests of the server's articles do not see what only this package sees.
public enum ArticleCode {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

    /// The code blocks of an article that no file contains, each as its text.
    ///
    /// Indentation, empty lines and imports do not count.
    ///
    /// - Parameters:
    ///   - article: The path of the article within `Sources`.
    ///   - files: The files that compile.
    /// - Returns: the number of blocks, and those that no file contains.
    /// - Throws: an error if a file cannot be read.
    public static func blocks(of article: String, missingIn files: [URL]) throws -> (count: Int, missing: [String]) {
        let compiled = try files.map(lines)
        let blocks = try blocks(of: sources.appendingPathComponent(article))
        let missing = blocks.filter { block in
            !compiled.contains { source in source.indices.contains { source[$0...].starts(with: block) } }
        }
        return (blocks.count, missing.map { $0.joined(separator: "\n") })
    }

    private static func blocks(of article: URL) throws -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in try lines(of: article) {
            if line == "```swift" {
                block = []
            } else if line == "```", let finished = block {
                blocks.append(finished)
                block = nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }
}
