import FunnelCommandSupport
import FlowDemoSimulation
import Foundation

/// The files of one run.
struct Workspace: Sendable {
    let storePath: String
    /// A configuration for the consumer, so that one that lies around for another broker has no part in this.
    let configurationPath: String
    /// A configuration for the collector.
    let collectorPath: String
    /// What the phone of the first person keeps.
    let journeysPath: String
    private let folder: URL
    private let isStoreInFolder: Bool

    /// Makes a folder for temporary files.
    ///
    /// - Parameter path: where the store is wanted; `nil` for within the folder.
    init(keeping path: String?) throws(CommandFailure) {
        let name = "funnel-demo-\(UUID().uuidString.prefix(8).lowercased())"
        folder = FileManager.default.temporaryDirectory.appending(path: name)
        configurationPath = folder.appending(path: "consumer.yaml").path
        collectorPath = folder.appending(path: "collector.yaml").path
        journeysPath = folder.appending(path: "journeys.sqlite").path
        isStoreInFolder = path == nil
        storePath = path ?? folder.appending(path: "funnels.sqlite").path
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try Data("allowed_lateness: 14d\n".utf8).write(to: URL(filePath: configurationPath))
        } catch {
            throw CommandFailure(
                .ioError,
                "cannot make \(folder.path) (\(error.localizedDescription)): set TMPDIR to a folder that can be written"
            )
        }
    }

    /// Writes the collector's configuration, with the demo's app as the only one that may send.
    func writeCollectorConfiguration(secret: String) throws(CommandFailure) {
        let text = """
            keys:
              - {name: demo, secret: \(secret), sources: ["\(Simulation.source)"]}
            # All phones of a week, in a minute.
            limits: {events_per_second: 1000000}

            """
        do {
            try Data(text.utf8).write(to: URL(filePath: collectorPath))
        } catch {
            throw CommandFailure(.ioError, "cannot write \(collectorPath): \(error.localizedDescription)")
        }
    }

    /// A write key that nobody can guess.
    static func secret() -> String {
        (UUID().uuidString + UUID().uuidString).lowercased().replacing("-", with: "")
    }

    /// The run is over: leaves only the store.
    func finish() {
        guard isStoreInFolder else { return remove(folder.path) }
        remove(configurationPath)
        remove(collectorPath)
        for suffix in ["", "-wal", "-shm"] { remove(journeysPath + suffix) }
    }

    /// The run has failed: leaves nothing.
    func discard() {
        remove(folder.path)
        for suffix in ["", "-wal", "-shm", ".lock"] { remove(storePath + suffix) }
    }

    // What is not there, or cannot be removed, is nothing to end with an error for.
    private func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
