import Foundation
import Testing

/// The article that documents the collector's answers.
enum ProtocolArticle {
    /// The first table after a line, without its header: the cells of each row, without backticks.
    static func table(after line: String) throws -> [[String]] {
        let lines = try text().split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == line }, "the article has no line '\(line)'")
        let rows = lines[start...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return rows.dropFirst(2).map { row in
            row.dropFirst().dropLast().split(separator: " | ").map { cell in
                cell.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
            }
        }
    }

    private static func text() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = root.appending(path: "Sources/App/HTTPSink/HTTPSink.docc/Protocol.md")
        return try String(contentsOf: article, encoding: .utf8)
    }
}
