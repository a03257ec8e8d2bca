import Foundation
import Testing

/// The article "Public bug reports".
@Suite struct PublicReportsTests {
    @Test func `each test that the article names is there`() throws {
        let root = Repository.root
        let article = root.appending(path: "Sources/App/FlowAnalytics/FlowAnalytics.docc/PublicReports.md")
        let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
        let names = rows.dropFirst().compactMap { row in
            row.split(separator: "|").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(names.count > 20)
        let folder = root.appending(path: "Tests")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let sources = try files.filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        for name in names {
            #expect(sources.contains { $0.contains("func `\(name)`") }, "\(name)")
        }
    }
}
