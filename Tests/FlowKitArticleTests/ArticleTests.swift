import Foundation
import Testing

@Suite struct ArticleTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let root = tests.deletingLastPathComponent().deletingLastPathComponent()

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static func blocks() throws -> [[String]] {
        let article = root.appendingPathComponent("Sources/App/FlowKit/FlowKit.docc/BuildingAnApp.md")
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

    @Test func `every code block of the article is compiled and tested here`() throws {
        let sources = try ["App.swift", "AppTests.swift"].map {
            try Self.lines(of: Self.tests.appendingPathComponent($0))
        }
        let blocks = try Self.blocks()
        #expect(blocks.count >= 10)
        for block in blocks {
            let isCompiled = sources.contains { source in
                source.indices.contains { source[$0...].starts(with: block) }
            }
            #expect(isCompiled, "not in App.swift or AppTests.swift:\n\(block.joined(separator: "\n"))")
        }
    }
}
