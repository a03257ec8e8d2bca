import Foundation
import Testing

/// What `swift package dump-package` says of a manifest.
struct Manifest: Decodable {
    struct Product: Decodable, Hashable {
        var name: String
        var targets: [String]
    }

    struct Target: Decodable {
        var name: String
        var path: String?
        var type: String
        var pkgConfig: String?
        var exclude: [String]
        var resources: [Resource]
        var dependencies: [Dependency]
    }

    struct Resource: Decodable {
        var path: String
    }

    /// A dependency of a target, in whatever way it is written.
    struct Dependency: Decodable, Hashable {
        private struct Condition: Decodable {
            var platformNames: [String]?
        }

        private struct Element: Decodable {
            var text: String?
            var platforms: [String]?

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                text = try? container.decode(String.self)
                platforms = (try? container.decode(Condition.self))?.platformNames
            }
        }

        var name: String
        /// The platforms that it is limited to.
        var platforms: Set<String>

        init(from decoder: any Decoder) throws {
            let elements = try [String: [Element]](from: decoder).values.first ?? []
            name = try #require(elements.first?.text)
            platforms = Set(elements.compactMap(\.platforms).joined())
        }
    }

    struct Package: Decodable {
        private struct Source: Decodable { var identity: String }
        private enum Kind: String, CodingKey { case sourceControl, fileSystem, registry }

        var identity: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Kind.self)
            let kind = try #require(container.allKeys.first)
            identity = try #require(try container.decode([Source].self, forKey: kind).first).identity
        }
    }

    var products: [Product]
    var targets: [Target]
    var dependencies: [Package]

    /// The manifest of a folder of the repository.
    ///
    /// - Parameter isOnMacOS: whether it is read as on a Mac, where Xcode evaluates it, also for iOS.
    static func read(_ folder: String, isOnMacOS: Bool = false) throws -> Manifest {
        let copy = FileManager.default.temporaryDirectory.appending(path: "flow-manifest-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        var text = try Repository.read(folder.isEmpty ? "Package.swift" : "\(folder)/Package.swift")
        text = text.replacing("#if os(macOS)", with: isOnMacOS ? "#if true" : "#if false")
        try Data(text.utf8).write(to: copy.appending(path: "Package.swift"))
        let outcome = try SwiftPackage.run("dump-package", in: copy)
        let start = try #require(outcome.output.firstIndex(of: "{"), "\(outcome.output)")
        return try JSONDecoder().decode(Manifest.self, from: Data(outcome.output[start...].utf8))
    }

    func target(_ name: String) -> Target? { targets.first { $0.name == name } }
}
