import FlowProcessTestSupport
import Foundation
import Testing

/// An app's own package beside this one. A target name has to be unique among all packages that an app resolves.
@Suite struct ClientPackageTests {
    /// Names that an app, or another package of it, is likely to have.
    private static let ordinaryNames = [
        "Analytics", "CZlib", "CommandSupport", "Core", "Events", "Journeys", "Kafka", "TestSupport",
    ]

    @Test func `a client with targets of ordinary names resolves this package, and no other`() throws {
        let resolution = try Self.resolve(targets: Self.ordinaryNames)
        #expect(resolution.exitCode == 0, "\(resolution.output)")
        let packages = resolution.output.split(separator: "\n").filter { $0.contains("──") }
        #expect(packages.count == 1, "\(resolution.output)")
        #expect(packages.first?.contains(Self.root.path) == true, "\(resolution.output)")
    }

    // Without it the test above could succeed because names are not compared at all.
    @Test func `a client with a target name of this package does not resolve`() throws {
        let resolution = try Self.resolve(targets: ["FlowEvents"])
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

    /// Resolves a package that has these targets, and one more that uses every library of this package.
    private static func resolve(targets: [String]) throws -> (exitCode: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "flow-client-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let package = folder.appending(path: "client")
        for target in targets + ["ClientApp"] {
            let sources = package.appending(path: "Sources/\(target)")
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            try Data().write(to: sources.appending(path: "Empty.swift"))
        }
        let libraries = try Repository.read("Package.swift").matches(of: /\.library\(\s*name: "([^"]+)"/).map { $0.1 }
        try #require(libraries.count > 5)
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "client",
                platforms: [.macOS(.v15), .iOS(.v17)],
                dependencies: [.package(name: "flow-funnels", path: "\(root.path)", traits: [])],
                targets: [
                    .target(
                        name: "ClientApp",
                        dependencies: [
                            \(libraries.map { #".product(name: "\#($0)", package: "flow-funnels")"# }.joined(separator: ", "))
                        ]
                    ),
                    \(targets.map { #".target(name: "\#($0)")"# }.joined(separator: ", "))
                ]
            )
            """
        try Data(manifest.utf8).write(to: package.appending(path: "Package.swift"))
        // A scratch path of its own: the build that runs these tests holds the lock of this package's.
        return try run([
            "swift", "package", "--package-path", package.path, "--scratch-path",
            folder.appending(path: "scratch").path,
            "show-dependencies",
        ])
    }

    private static func run(_ command: [String]) throws -> (exitCode: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe.notInherited()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.start()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
