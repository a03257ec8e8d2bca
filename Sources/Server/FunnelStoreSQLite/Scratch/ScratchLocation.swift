import Foundation

/// Where a scratch store is made, see ``SQLiteScratchStore``.
public struct ScratchLocation: Sendable, Hashable {
    /// The folder, which must exist. It needs room for the evidence of all matching events that are counted.
    public var directory: String
    /// What the names of the files begin with. Scratch stores of the same folder and name remove each other's left-overs.
    public var name: String
    /// Whether SIGINT and SIGTERM remove the files before they end the process. For commands: it changes what the process
    /// does with these signals.
    public var isRemovedBySignals = false

    /// Creates a location.
    public init(directory: String, name: String) {
        self.directory = directory
        self.name = name
    }

    /// The folder for temporary files, which the environment's `TMPDIR` names.
    public static var temporary: ScratchLocation {
        ScratchLocation(directory: FileManager.default.temporaryDirectory.path, name: "flow-funnels")
    }

    /// The folder of a store in an SQLite file.
    public static func beside(_ path: String) -> ScratchLocation {
        let url = URL(fileURLWithPath: path)
        return ScratchLocation(directory: url.deletingLastPathComponent().path, name: url.lastPathComponent)
    }

    /// What the files' names begin with, before what is different in each scratch store.
    var prefix: String { name + ".scratch-" }
}
