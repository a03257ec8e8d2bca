import Foundation
import Testing

/// README.md and CONTRIBUTING.md, compared with the files that they name.
@Suite struct GuideTests {
    @Test func `CONTRIBUTING lists every module`() throws {
        let guide = try Repository.read("CONTRIBUTING.md")
        let modules = try Repository.targetNames().filter { !$0.hasSuffix("Tests") }
        #expect(modules.filter { !guide.contains("`\($0)`") } == [])
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md"])
    func `every path that a guide names is there`(guide: String) throws {
        let text = try Repository.read(guide)
        let links = text.matches(of: /(?:\]\(|src(?:set)?=")([^)"#]+)[)"]/).map { String($0.1) }
            .filter { !$0.contains("://") }
        let folders = "Sources|Tests|Examples|Benchmarks|scripts|config"
        let paths = try text.matches(
            of: Regex("`((?:\(folders))/[A-Za-z0-9_./+-]+)[ `]", as: (Substring, Substring).self)
        )
        .map { String($0.1) }
        #expect(!links.isEmpty && !paths.isEmpty)
        // Every user writes these two, each from the example beside it.
        let written: Set = ["config/consumer.yaml", "config/collector.yaml"]
        #expect(Set(links + paths).subtracting(written).filter { !Repository.exists($0) }.sorted() == [])
    }

    @Test func `README is short enough to be read`() throws {
        #expect(try Repository.read("README.md").utf8.count <= 10_500)
    }
}
