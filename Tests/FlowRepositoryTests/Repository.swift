import Foundation

/// The checkout that the tests run in.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The names of all targets of the manifest, in its order.
    static func targetNames() throws -> [String] {
        let declaration =
            /\.(?:target|executableTarget|testTarget|systemLibrary)\(\s*(?:name|withPrivacyManifest): "([^"]+)"/
        return try read("Package.swift").matches(of: declaration).map { String($0.1) }
    }
}
