import Foundation
import FunnelFile
import Testing

/// The definitions of the article "Worked questions".
@Suite struct WorkedQuestionsArticleTests {
    private static func definitions() throws -> [String] {
        let article = URL(filePath: #filePath)
            .appending(path: "../../../../Sources/Server/FunnelFile/FunnelFile.docc/WorkedQuestions.md")
            .standardizedFileURL
        let parts = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```yaml\n").dropFirst()
        return parts.compactMap { $0.components(separatedBy: "```").first }
    }

    @Test func `each definition of the article is one that the consumer takes`() throws {
        let definitions = try Self.definitions()
        #expect(definitions.count == 6)
        for definition in definitions {
            let lines = definition.split(separator: "\n").map { "  \($0)\n" }
            let funnels = try FunnelsFile.parse(Array("funnels:\n\(lines.joined())".utf8), file: "article.yaml")
            #expect(funnels.count == 1)
        }
    }
}
