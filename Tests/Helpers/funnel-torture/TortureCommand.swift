import ArgumentParser
import FunnelCommandSupport
import Foundation
import FunnelTortureSupport
import UnixSignals

/// `funnel-torture`: whether anything that apps track is lost, whatever happens to them.
@main struct TortureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-torture",
        abstract: "Kills apps, the collector, the network and Kafka, and looks for what is lost.",
        discussion: """
            Apps track while they are killed, cut off, out of disk space and set to wrong times. At the end every event \
            that was on a disk has to be in the topic, or in a count with its reason, and the report has to be what the \
            brute force says. Exit code 1 where it is not; the folder of the run is kept then.
            """
    )

    @Option(help: "Other seeds are other faults.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("How long, from 20 on.", valueName: "seconds"))
    var duration = 60

    @Option(help: ArgumentHelp("The funnels file.", valueName: "path"))
    var funnels = "config/funnels.yaml"

    @Flag(help: "Mount a small file system for each phone, to fill it up.")
    var mount = false

    func validate() throws {
        guard duration >= 20 else { throw ValidationError("--duration \(duration): expected 20 or more.") }
        guard FileManager.default.fileExists(atPath: funnels) else {
            throw ValidationError("\(funnels) is not there: run scripts/torture, or give the file with --funnels.")
        }
    }

    func run() async throws {
        // Whoever is told something may be dead already.
        signal(SIGPIPE, SIG_IGN)
        try await FailureReport(command: "funnel-torture", status: { _ in nil }).reporting {
            let name = "torture-\(seed)-\(UUID().uuidString.prefix(8).lowercased())"
            let folder = FileManager.default.temporaryDirectory.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let torture = Torture(
                seed: seed,
                duration: .seconds(duration),
                folder: folder,
                funnels: URL(filePath: funnels),
                isMounting: mount
            )
            do {
                let result = try await Self.untilSignal { try await torture.run() }
                try StandardOutput.write(result.table)
                guard result.isSurvived else { throw ExitCode.failure }
            } catch {
                StandardError.write("funnel-torture: the run is in \(folder.path), its seed was \(seed)\n")
                throw error
            }
            try FileManager.default.removeItem(at: folder)
        }
    }

    /// A signal cancels the run, so that no process is left behind.
    private static func untilSignal(
        _ body: @escaping @Sendable () async throws -> TortureResult
    ) async throws -> TortureResult {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: TortureResult?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in signals { return nil }
                return nil
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() ?? nil else {
                group.cancelAll()
                // Until everything has ended.
                _ = try? await group.next()
                throw ExitCode(130)
            }
            return result
        }
    }
}
