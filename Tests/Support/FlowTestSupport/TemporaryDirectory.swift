import Foundation

/// A directory for one test. It is deleted with the value.
///
/// ```swift
/// let directory = try TemporaryDirectory()
/// try directory.write("funnels: []\n", to: "config/funnels.yaml")
/// let store = try SQLiteFunnelStore(path: directory.file("funnels.sqlite"))
/// ```
package final class TemporaryDirectory: Sendable {
    /// The absolute path.
    package let path: String

    /// Creates an empty directory.
    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "flow-funnels-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        // Best effort: a test may have changed the permissions, and the system cleans its temporary directory.
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a file in the directory.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file, and creates the folder that it is in.
    package func write(_ text: String, to name: String) throws {
        let url = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }
}
