#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where it is kept which purchases have begun and which are counted: in memory, in a file, or in an app's own storage.
///
/// It has less than 200 KB, mostly some hundred bytes. Without a storage a purchase that is approved after a launch has no
/// paywall, and one that the app has not finished is counted at each launch.
public struct PurchaseStorage: Sendable {
    /// Returns what was saved last; `nil` if nothing was saved.
    public var load: @Sendable () async throws -> [UInt8]?

    /// Replaces what is saved; `nil` deletes it.
    public var save: @Sendable ([UInt8]?) async throws -> Void

    /// Creates a storage.
    public init(
        load: @escaping @Sendable () async throws -> [UInt8]?,
        save: @escaping @Sendable ([UInt8]?) async throws -> Void
    ) {
        self.load = load
        self.save = save
    }

    /// Keeps it for this run only.
    public static var memory: PurchaseStorage {
        let kept = Locked<[UInt8]?>(nil)
        return PurchaseStorage(
            load: { kept.withLock { $0 } },
            save: { bytes in kept.withLock { $0 = bytes } }
        )
    }

    /// Keeps it in a small file that only its owner may read, and that is not backed up. A separate thread does the I/O.
    ///
    /// - Parameter path: the path of the file. Its folder must exist.
    public static func file(path: String) -> PurchaseStorage {
        let file = PurchaseFile(path: path)
        return PurchaseStorage(load: { try await file.load() }, save: { try await file.save($0) })
    }
}

private actor PurchaseFile {
    // More than the largest memory.
    private static let limit = 1 << 20

    private let path: String
    private let executor = BlockingExecutor(label: "flow-funnels.purchases")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String) {
        self.path = path
    }

    func load() throws -> [UInt8]? { try SystemFile.contents(ofFileAt: path, limit: Self.limit) }

    func save(_ bytes: [UInt8]?) throws {
        guard let bytes else {
            guard FileManager.default.fileExists(atPath: path) else { return }
            return try FileManager.default.removeItem(atPath: path)
        }
        try SystemFile.replace(fileAt: path, with: bytes)
        SystemFile.excludeFromBackup(path)
    }
}
