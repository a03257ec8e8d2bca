import Foundation
import Testing

/// What the article about installing says of the packages, compared with their manifests.
@Suite struct InstallingTests {
    private static let article = "Sources/App/FlowAnalytics/FlowAnalytics.docc/Installing.md"

    private struct Row {
        var products: [String]
        var isInApp: Bool
        var isInSources: Bool
    }

    /// The rows of the table of products: each names products, and has a `yes` for each folder that has them.
    private static func rows() throws -> [Row] {
        let section = try #require(try Repository.read(article).firstMatch(of: /## Folders of a checkout\n([^#]+)/)?.1)
        return section.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 5, cells[2].isEmpty || cells[2] == "yes" else { return nil }
            let products = cells[1].matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
            return Row(products: products, isInApp: cells[2] == "yes", isInSources: cells[3] == "yes")
        }
    }

    @Test func `the table of the folders has each product of theirs`() throws {
        let rows = try Self.rows()
        #expect(rows.count == 3)
        let inApp = rows.filter(\.isInApp).flatMap(\.products)
        let inSources = rows.filter(\.isInSources).flatMap(\.products)
        #expect(inApp.sorted() == (try Manifest.read("Sources/App").products.map(\.name).sorted()))
        #expect(inSources.sorted() == (try Manifest.read("Sources").products.map(\.name).sorted()))
    }

    @Test func `the package of the reader's own resolves this package and GRDB, and nothing else`() throws {
        let article = try Repository.read(Self.article)
        var manifest = String(try #require(article.firstMatch(of: #/```\n(// swift-tools-version[^`]+)```/#)?.1))
        let remote = #"url: "https://github.com/OWNER/flow-funnels", branch: "main""#
        #expect(manifest.contains(remote))
        let root = Repository.root.resolvingSymlinksInPath().path
        manifest = manifest.replacing(remote, with: #"name: "flow-funnels", path: "\#(root)""#)
        let file = try #require(article.firstMatch(of: /an empty file `([^`]+)`/)?.1)

        let package = FileManager.default.temporaryDirectory.appending(path: "flow-own-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: package) }
        let source = package.appending(path: String(file))
        let folder = source.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: source)
        try Data(manifest.utf8).write(to: package.appending(path: "Package.swift"))

        let resolution = try SwiftPackage.run("show-dependencies", in: package)
        #expect(resolution.exitCode == 0, "\(resolution.output)")
        let packages = resolution.output.split(separator: "\n").filter { $0.contains("──") }
        #expect(packages.count == 2, "\(resolution.output)")
        #expect(packages.last?.contains("grdb.swift<") == true, "\(resolution.output)")
    }

    @Test func `the article and README name the same line for a manifest and the same folders`() throws {
        let line = #".package(url: "https://github.com/OWNER/flow-funnels", branch: "main", traits: [])"#
        for guide in [try Repository.read(Self.article), try Repository.read("README.md")] {
            #expect(guide.contains(line))
            #expect(guide.contains("`Sources/App`, or `Sources` for"))
            #expect(guide.contains("26.4"))
        }
    }
}
