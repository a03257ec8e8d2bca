import Foundation
import Testing

/// The list of what the sources need of UIKit, held against the sources. They compile here because `HeadlessUIKit` declares
/// it all, so that its names are those that have to be looked for.
@Suite struct UIKitSymbolsTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/App")

    /// The lines of a module's files, each as its words, without comments.
    private static func words(of module: String, in isWanted: (String) -> Bool = { _ in true }) throws -> [[Substring]]
    {
        let folder = sources.appending(path: module)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { folder.appending(path: $0) }
        return try files.filter { $0.pathExtension == "swift" && isWanted($0.lastPathComponent) }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
                line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
            }
            .map { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }
        }
    }

    /// The names that are declared for everyone, without those of the headless user and system, which UIKit has not.
    private static func declared() throws -> Set<Substring> {
        let kinds: Set<Substring> = ["var", "let", "func", "class", "protocol", "struct", "enum"]
        let lines = try words(of: "HeadlessUIKit") { !$0.hasPrefix("Headless") }
        return Set(
            lines.compactMap { words in
                guard words.first == "public" || words.first == "open",
                    let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count
                else { return nil }
                return words[kind + 1]
            }
        )
    }

    @Test func `every UIKit symbol that the package touches is listed with its signature and Apple's page`() throws {
        let list = try String(
            contentsOf: Self.sources.appending(path: "FlowKit/FlowKit.docc/UIKitSymbols.md"),
            encoding: .utf8
        )
        let rows = list.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let row = /\| `[^`]+` \| `[^`]+` \| [^|]+ \| \[[^\]]+\]\(https:\/\/developer\.apple\.com\/[^ ]+\) \|/
        #expect(rows.filter { $0.wholeMatch(of: row) == nil } == [])
        let listed = Set(rows.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
        let touched = try Set(["FlowKit", "FlowAnalytics"].flatMap { try Self.words(of: $0) }.joined())
        // An operator's associativity, and what every enumeration of texts has.
        let others: Set<Substring> = ["left", "rawValue"]
        let declared = try Self.declared()
        #expect(declared.count > 50)
        #expect(declared.intersection(touched).subtracting(others).subtracting(listed).sorted() == [])
    }
}
