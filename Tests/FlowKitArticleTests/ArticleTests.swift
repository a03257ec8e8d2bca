import Foundation
import Testing

@Suite struct ArticleTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let root = tests.deletingLastPathComponent().deletingLastPathComponent()

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static func blocks(of path: String) throws -> [[String]] {
        let article = root.appendingPathComponent("Sources/App/\(path)")
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

    @Test(arguments: [
        ("FlowKit/FlowKit.docc/BuildingAnApp.md", 10), ("FlowAnalytics/FlowAnalytics.docc/FlowAnalytics.md", 5),
        ("FlowAnalytics/FlowAnalytics.docc/AddingToAnApp.md", 3),
        ("EventTracking/EventTracking.docc/EventTracking.md", 4),
        ("ScreenJourneys/ScreenJourneys.docc/ScreenJourneys.md", 4),
    ])
    func `every code block of an article is compiled here`(article: String, count: Int) throws {
        let sources = try ["App.swift", "AppTests.swift", "Snippets.swift"].map {
            try Self.lines(of: Self.tests.appendingPathComponent($0))
        }
        let blocks = try Self.blocks(of: article)
        #expect(blocks.count >= count)
        for block in blocks {
            let isCompiled = sources.contains { source in
                source.indices.contains { source[$0...].starts(with: block) }
            }
            #expect(isCompiled, "not compiled:\n\(block.joined(separator: "\n"))")
        }
    }
}
