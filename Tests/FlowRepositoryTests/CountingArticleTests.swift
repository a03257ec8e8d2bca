import Foundation
import Testing

/// The article *How counting works*, compared with the sources that it leads to.
@Suite struct CountingArticleTests {
    @Test func `every file, type and function that the article names is there`() throws {
        let paths = try ["Sources", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appending(path: folder).path)
                .map { "\(folder)/\($0)" }
        }
        var known = Set(paths.flatMap { $0.split(separator: "/").map(String.init) })
        for path in paths where path.hasPrefix("Sources/") && path.hasSuffix(".swift") {
            let text = try Repository.read(path)
            known.formUnion(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        }
        let article = try Repository.read("Sources/Server/Funnels/Funnels.docc/HowCountingWorks.md")
        let names = article.matches(of: #/`([^`\n]+)`/#).map { String($0.1) }
        #expect(names.count > 50)
        let unknown = names.filter { name in
            let last = name.split(separator: "/").last.map(String.init) ?? name
            let words = name.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
            return !known.contains(last) && !words.allSatisfy(known.contains)
        }
        #expect(unknown == [])
    }
}
