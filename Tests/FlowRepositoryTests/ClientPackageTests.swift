import Foundation
import Testing

/// An app's own package beside this one. A target name has to be unique among all packages that an app resolves.
@Suite struct ClientPackageTests {
    /// Names that an app, or another package of it, is likely to have.
    private static let ordinaryNames = [
        "Analytics", "CZlib", "CommandSupport", "Core", "Events", "Journeys", "Kafka", "TestSupport",
    ]

    @Test(arguments: ["", "Sources/App"])
    func `a client with targets of ordinary names resolves this package, and no other`(folder: String) throws {
        let resolution = try Self.resolve(folder, targets: Self.ordinaryNames)
        #expect(resolution.exitCode == 0, "\(resolution.output)")
        let packages = resolution.output.split(separator: "\n").filter { $0.contains("──") }
        #expect(packages.count == 1, "\(resolution.output)")
        #expect(packages.first?.contains(Self.root.appending(path: folder).path) == true, "\(resolution.output)")
    }

    @Test(arguments: [("Sources", []), ("", ["Device"])] as [(String, [String])])
    func `a client with the durable queue resolves GRDB beside this package, and nothing else`(
        folder: String,
        traits: [String]
    ) throws {
        let resolution = try Self.resolve(folder, traits: traits, targets: Self.ordinaryNames)
        #expect(resolution.exitCode == 0, "\(resolution.output)")
        let packages = resolution.output.split(separator: "\n").filter { $0.contains("──") }
        #expect(packages.count == 2, "\(resolution.output)")
        #expect(packages.first?.contains(Self.root.appending(path: folder).path) == true)
        #expect(packages.last?.contains("grdb.swift<https://github.com/groue/GRDB.swift@") == true)
    }

    // Without it the tests above could succeed because names are not compared at all.
    @Test func `a client with a target name of this package does not resolve`() throws {
        let resolution = try Self.resolve("", targets: ["FlowEvents"])
        #expect(resolution.exitCode != 0)
        #expect(resolution.output.contains("conflicting name: 'FlowEvents"), "\(resolution.output)")
    }

    // SwiftPM compares only the targets that a client reaches; which ones those are depends on its version.
    @Test func `no target has an ordinary name, test supports and benchmarks included`() throws {
        let names = try Repository.targetNames()
        #expect(names.count > 50)
        #expect(Set(names.map { $0.lowercased() }).isDisjoint(with: Self.ordinaryNames.map { $0.lowercased() }))
    }

    private static let root = Repository.root.resolvingSymlinksInPath()

    /// Resolves a package that has these targets, and one more that uses every library of the package in a folder.
    ///
    /// - Parameter traits: the traits of the package at the root. The folders have none.
    private static func resolve(
        _ folder: String,
        traits: [String] = [],
        targets: [String]
    ) throws -> SwiftPackage.Outcome {
        let client = FileManager.default.temporaryDirectory.appending(path: "flow-client-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: client) }
        for target in targets + ["ClientApp"] {
            let sources = client.appending(path: "Sources/\(target)")
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            try Data().write(to: sources.appending(path: "Empty.swift"))
        }
        let package = root.appending(path: folder)
        let manifest = try Repository.read(folder.isEmpty ? "Package.swift" : "\(folder)/Package.swift")
        let libraries = manifest.matches(of: /\.library\(\s*name: "([^"]+)"/).map { $0.1 }
        try #require(libraries.count > 3)
        let identity = package.lastPathComponent
        let chosen = folder.isEmpty ? ", traits: [\(traits.map { "\"\($0)\"" }.joined(separator: ", "))]" : ""
        let text = """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "client",
                platforms: [.macOS(.v15), .iOS(.v17)],
                dependencies: [.package(name: "\(identity)", path: "\(package.path)"\(chosen))],
                targets: [
                    .target(
                        name: "ClientApp",
                        dependencies: [
                            \(libraries.map { #".product(name: "\#($0)", package: "\#(identity)")"# }.joined(separator: ", "))
                        ]
                    ),
                    \(targets.map { #".target(name: "\#($0)")"# }.joined(separator: ", "))
                ]
            )
            """
        try Data(text.utf8).write(to: client.appending(path: "Package.swift"))
        return try SwiftPackage.run("show-dependencies", in: client)
    }
}
