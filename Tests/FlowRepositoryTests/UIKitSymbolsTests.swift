import Foundation
import Testing

/// The lists of what the sources need of UIKit, SwiftUI and StoreKit, held against the sources. They compile here
/// because a stand-in declares it all, so that its names are those that have to be looked for.
@Suite struct UIKitSymbolsTests {
    /// A framework of Apple's that has a stand-in.
    struct Framework: Sendable {
        var standIn: String
        /// The modules that use it.
        var modules: [String]
        /// The list.
        var article: String
        /// Names that mean something else in the modules, too.
        var others: Set<String>
        /// A number of names that the stand-in declares at least.
        var least: Int

        static let uiKit = Framework(
            standIn: "HeadlessUIKit",
            modules: ["FlowKit", "FlowAnalytics"],
            article: "FlowKit/FlowKit.docc/UIKitSymbols.md",
            // An operator's associativity, and what every enumeration of texts has.
            others: ["left", "rawValue"],
            least: 50
        )

        static let swiftUI = Framework(
            standIn: "HeadlessSwiftUI",
            modules: ["FlowSwiftUI"],
            article: "FlowSwiftUI/FlowSwiftUI.docc/SwiftUISymbols.md",
            // An array's.
            others: ["append", "isEmpty"],
            least: 40
        )

        static let storeKit = Framework(
            standIn: "HeadlessStoreKit",
            modules: ["FlowStoreKit"],
            article: "FlowStoreKit/FlowStoreKit.docc/StoreKitSymbols.md",
            others: ["rawValue", "sandbox"],
            least: 30
        )
    }

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

    /// The names that are declared for everyone, without those of the headless user and system, which Apple has not.
    private static func declared(in standIn: String) throws -> Set<Substring> {
        let kinds: Set<Substring> = ["var", "let", "func", "class", "protocol", "struct", "enum"]
        let lines = try words(of: standIn) { !$0.hasPrefix("Headless") }
        return Set(
            lines.compactMap { words in
                guard words.first == "public" || words.first == "open",
                    let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count
                else { return nil }
                return words[kind + 1]
            }
        )
    }

    @Test(arguments: [Framework.uiKit, .swiftUI, .storeKit])
    func `every symbol that the package touches is listed with its signature and Apple's page`(
        framework: Framework
    ) throws {
        let list = try String(contentsOf: Self.sources.appending(path: framework.article), encoding: .utf8)
        let rows = list.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let row = /\| `[^`]+` \| `[^`]+` \| (?:[^|]+ \| )?\[[^\]]+\]\(https:\/\/developer\.apple\.com\/[^ ]+\) \|/
        #expect(rows.filter { $0.wholeMatch(of: row) == nil } == [])
        let listed = Set(rows.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
        let touched = try Set(framework.modules.flatMap { try Self.words(of: $0) }.joined())
        let declared = try Self.declared(in: framework.standIn)
        #expect(declared.count > framework.least)
        let missing = declared.intersection(touched).subtracting(listed).map(String.init)
        #expect(Set(missing).subtracting(framework.others).sorted() == [])
    }

    @Test func `only the module for SwiftUI knows whether it is there`() throws {
        let all = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
        for path in all where path.hasSuffix(".swift") && path != "FlowSwiftUI/SwiftUIPlatform.swift" {
            let text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
            #expect(!text.contains("canImport(SwiftUI)") && !text.contains("import SwiftUI\n"), "\(path)")
        }
    }

    @Test func `only the module for StoreKit knows whether it is there, and it finishes no transaction`() throws {
        let all = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
        for path in all where path.hasSuffix(".swift") {
            let text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
            let isShell = path.hasPrefix("FlowStoreKit/")
            #expect(isShell || !text.contains("canImport(StoreKit)") && !text.contains("import StoreKit"), "\(path)")
            let calls = try Regex<Substring>(#"^\s*(?!///).*\.finish\(\)"#).anchorsMatchLineEndings()
            #expect(!isShell || text.firstMatch(of: calls) == nil, "\(path)")
        }
    }
}
