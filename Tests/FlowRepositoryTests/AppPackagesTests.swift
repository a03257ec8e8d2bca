import Foundation
import Testing

/// The folders that Xcode before 26.4 takes as local packages, compared with the package at the root.
@Suite struct AppPackagesTests {
    /// The modules that keep something in a database, and with it GRDB.
    private static let onDevice: Set = ["DeviceQueue", "ScreenJourneys"]

    private static func folders() throws -> [(path: String, manifest: Manifest, prefix: String)] {
        [
            ("Sources/App", try .read("Sources/App"), "Sources/App/"),
            ("Sources", try .read("Sources"), "Sources/"),
        ]
    }

    /// The products of the root that an app may use: those that reach only targets of `Sources/App`.
    private static func appProducts(of root: Manifest) -> Set<Manifest.Product> {
        Set(
            root.products.filter { product in
                product.targets.allSatisfy { root.target($0)?.path?.hasPrefix("Sources/App/") == true }
            }
        )
    }

    @Test func `the two folders have every product for apps, one of them without those of the database`() throws {
        let products = Self.appProducts(of: try .read(""))
        #expect(products.count > 5)
        #expect(Set(try Manifest.read("Sources").products) == products)
        let small = products.filter { Self.onDevice.isDisjoint(with: $0.targets) }
        #expect(Set(try Manifest.read("Sources/App").products) == small)
        #expect(products.count - small.count == Self.onDevice.count)
    }

    @Test func `a target is the same one in each package`() throws {
        let root = try Manifest.read("")
        for folder in try Self.folders() {
            #expect(folder.manifest.targets.count > 5)
            for target in folder.manifest.targets {
                let original = try #require(root.target(target.name), "\(target.name)")
                #expect(Set(target.dependencies) == Set(original.dependencies), "\(folder.path) \(target.name)")
                #expect(target.path.map { folder.prefix + $0 } == original.path)
                #expect(target.type == original.type && target.pkgConfig == original.pkgConfig)
            }
        }
    }

    @Test func `only the folder with the database depends on another package`() throws {
        #expect(try Manifest.read("Sources/App").dependencies.isEmpty)
        #expect(try Manifest.read("Sources").dependencies.map(\.identity) == ["grdb.swift"])
    }

    @Test(arguments: [true, false])
    func `every privacy manifest is declared in each package, on a Mac as a resource`(isOnMacOS: Bool) throws {
        let name = "PrivacyInfo.xcprivacy"
        for folder in ["", "Sources/App", "Sources"] {
            let manifest = try Manifest.read(folder, isOnMacOS: isOnMacOS)
            let declared = manifest.targets.filter { target in
                isOnMacOS ? target.resources.contains { $0.path == name } : target.exclude.contains(name)
            }
            let expected = manifest.targets.filter { target in
                guard let path = target.path else { return false }
                return Repository.exists(folder.isEmpty ? "\(path)/\(name)" : "\(folder)/\(path)/\(name)")
            }
            #expect(declared.map(\.name) == expected.map(\.name), "\(folder)")
            #expect(expected.count >= 2)
        }
    }

    @Test func `zlib comes from Apple's SDKs, and from pkg-config elsewhere`() throws {
        for folder in ["", "Sources/App", "Sources"] {
            #expect(try Manifest.read(folder, isOnMacOS: true).target("CFlowZlib")?.pkgConfig == nil)
            #expect(try Manifest.read(folder).target("CFlowZlib")?.pkgConfig == "zlib")
        }
        #expect(try Repository.read("Sources/App/CFlowZlib/module.modulemap").contains(#"link "z""#))
    }

    @Test func `no product under For apps needs a library of Kafka`() throws {
        let text = try Repository.read("Package.swift")
        let forApps = try #require(text.firstMatch(of: /\/\/ For apps\.\n([^*]*?)\/\/ For servers\./)?.1)
        let listed = Set(forApps.matches(of: /name: "([^"]+)"/).map { String($0.1) })
        #expect(listed == Set(Self.appProducts(of: try .read("")).map(\.name)))
        #expect(!listed.contains("KafkaSink"))
    }
}
