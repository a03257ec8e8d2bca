#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where requests to erase are kept until they are delivered: in memory, in files, or in an app's own storage.
///
/// Each request has a name and less than 8 KB. It is apart from the identity and from the queue, so that neither damage nor an
/// opt-out takes it away.
public struct ErasureStorage: Sendable {
    /// Returns the requests that are kept, by name.
    public var load: @Sendable () async throws -> [String: [UInt8]]

    /// Keeps a request. When it returns, the request survives the end of the process.
    public var save: @Sendable (_ name: String, _ request: [UInt8]) async throws -> Void

    /// Removes a request, if it is there.
    public var remove: @Sendable (_ name: String) async throws -> Void

    /// Whether a later launch can find requests here.
    var outlivesTheRun = true

    /// Creates a storage.
    public init(
        load: @escaping @Sendable () async throws -> [String: [UInt8]],
        save: @escaping @Sendable (_ name: String, _ request: [UInt8]) async throws -> Void,
        remove: @escaping @Sendable (_ name: String) async throws -> Void
    ) {
        self.load = load
        self.save = save
        self.remove = remove
    }

    /// Keeps requests for this run only.
    public static var memory: ErasureStorage {
        let kept = Locked<[String: [UInt8]]>([:])
        var storage = ErasureStorage(
            load: { kept.withLock { $0 } },
            save: { name, request in kept.withLock { $0[name] = request } },
            remove: { name in kept.withLock { $0[name] = nil } }
        )
        storage.outlivesTheRun = false
        return storage
    }

    /// Keeps each request in a file of its own, which only its owner may read, and which is not backed up. A separate thread
    /// does the I/O. Several processes may use the same files.
    ///
    /// - Parameter prefix: what the paths of the files begin with, such as `identity.json.erasure-`. The folder must exist.
    public static func files(prefix: String) -> ErasureStorage {
        let files = ErasureFiles(prefix: prefix)
        return ErasureStorage(
            load: { try await files.load() },
            save: { try await files.save($0, $1) },
            remove: { try await files.remove($0) }
        )
    }
}

private actor ErasureFiles {
    // More than the longest request.
    private static let limit = 65_536

    private let folder: URL
    private let prefix: String
    private let executor = BlockingExecutor(label: "flow-funnels.erasures")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(prefix: String) {
        let url = URL(fileURLWithPath: prefix)
        folder = url.deletingLastPathComponent()
        self.prefix = url.lastPathComponent
    }

    func load() throws -> [String: [UInt8]] {
        // Without a folder there is no request. One that cannot be read must not look empty.
        guard FileManager.default.fileExists(atPath: folder.path) else { return [:] }
        var requests: [String: [UInt8]] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where file.hasPrefix(prefix) && !file.hasSuffix(".new") {
            let name = String(file.dropFirst(prefix.count))
            requests[name] = try SystemFile.contents(ofFileAt: path(name), limit: Self.limit)
        }
        return requests
    }

    func save(_ name: String, _ request: [UInt8]) throws {
        try SystemFile.replace(fileAt: path(name), with: request)
        SystemFile.excludeFromBackup(path(name))
    }

    func remove(_ name: String) throws {
        // Another process may have delivered it, too.
        guard FileManager.default.fileExists(atPath: path(name)) else { return }
        try FileManager.default.removeItem(atPath: path(name))
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(prefix + name).path }
}
