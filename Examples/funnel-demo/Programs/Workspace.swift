import FunnelCommandSupport
import FlowDemoSimulation
import Foundation

/// The files of one run of the demo.
struct Workspace: Sendable {
    let storePath: String
    /// The events, one a line, beside the store.
    let eventsPath: String
    /// The configuration of the consumer. With it, the consumer ignores any configuration for another broker.
    let configurationPath: String
    /// The configuration of the collector.
    let collectorPath: String
    /// The certificate that the signatures of the simulated store lead to.
    private let rootPath: String
    /// The visited screens of the first person.
    let journeysPath: String
    private let folder: URL
    private let isStoreInFolder: Bool

    /// Creates a folder for temporary files.
    ///
    /// - Parameter path: the path of the store; `nil` for a file in the folder.
    init(keeping path: String?) throws(CommandFailure) {
        let name = "funnel-demo-\(UUID().uuidString.prefix(8).lowercased())"
        folder = FileManager.default.temporaryDirectory.appending(path: name)
        configurationPath = folder.appending(path: "consumer.yaml").path
        collectorPath = folder.appending(path: "collector.yaml").path
        rootPath = folder.appending(path: "root.pem").path
        journeysPath = folder.appending(path: "journeys.sqlite").path
        isStoreInFolder = path == nil
        storePath = path ?? folder.appending(path: "funnels.sqlite").path
        eventsPath = URL(filePath: storePath).deletingPathExtension().path + ".events.ndjson"
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try Data("allowed_lateness: 14d\n".utf8).write(to: URL(filePath: configurationPath))
        } catch {
            throw CommandFailure(
                .ioError,
                "cannot create \(folder.path) (\(error.localizedDescription)): set TMPDIR to a writable folder"
            )
        }
    }

    /// Writes the collector's configuration. Only the demo's app and its store may send events.
    ///
    /// - Parameters:
    ///   - secret: the app's write key.
    ///   - root: the certificate that the store's signatures lead to, in PEM.
    func writeCollectorConfiguration(secret: String, root: String) throws(CommandFailure) {
        let text = """
            keys:
              - {name: demo, secret: \(secret), sources: ["\(Simulation.source)"]}
            # All phones of a week, in a minute.
            limits: {events_per_second: 1000000}
            webhooks:
              app_store:
                root_certificates: ["\(rootPath)"]
                apps: [{bundle_id: \(StoreServer.bundleID), source: "\(Simulation.source)"}]

            """
        do {
            try Data(root.utf8).write(to: URL(filePath: rootPath))
            try Data(text.utf8).write(to: URL(filePath: collectorPath))
        } catch {
            throw CommandFailure(.ioError, "cannot write \(collectorPath): \(error.localizedDescription)")
        }
    }

    /// Returns a random write key.
    static func secret() -> String {
        (UUID().uuidString + UUID().uuidString).lowercased().replacing("-", with: "")
    }

    /// Removes all files except the store and the events, after a successful run.
    func finish() {
        guard isStoreInFolder else { return remove(folder.path) }
        remove(configurationPath)
        remove(collectorPath)
        remove(rootPath)
        for suffix in ["", "-wal", "-shm"] { remove(journeysPath + suffix) }
    }

    /// Removes all files, after a failed run.
    func discard() {
        remove(folder.path)
        for suffix in ["", "-wal", "-shm", ".lock"] { remove(storePath + suffix) }
        remove(eventsPath)
    }

    // A file that cannot be removed is no reason to fail.
    private func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
