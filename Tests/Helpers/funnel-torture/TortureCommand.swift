import ArgumentParser
import FunnelCommandSupport
import Foundation
import FunnelTortureSupport
import UnixSignals

/// `funnel-torture`: checks that no tracked event is lost, whatever fails.
@main struct TortureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-torture",
        abstract: "Injects failures into apps, the collector, the network and Kafka, and looks for lost events.",
        discussion: """
            Apps track events while the run kills them, cuts their connections, fills their disks and changes their \
            clocks. At the end, every event that was stored on a disk must be in the topic or in a count of dropped \
            events, and the report must be the same as the one of the brute force. If not, the exit code is 1 and the \
            program keeps the folder of the run. With KAFKA_BOOTSTRAP_SERVERS in the environment it uses that cluster \
            instead of an embedded one, with topics of its own.
            """
    )

    @Option(help: "The seed of the faults: the same seed gives the same faults.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("How long to inject faults, at least 20.", valueName: "seconds"))
    var duration = 60

    @Option(help: ArgumentHelp("The funnels file.", valueName: "path"))
    var funnels = "config/funnels.yaml"

    @Flag(help: "Mount a small file system for each phone, to make its disk full.")
    var mount = false

    @Option(
        help: ArgumentHelp(
            "A shell command that crashes a broker of the cluster of KAFKA_BOOTSTRAP_SERVERS and starts it again.",
            valueName: "command"
        )
    )
    var crashBroker: String?

    private var bootstrapServers: String? {
        ProcessInfo.processInfo.environment["KAFKA_BOOTSTRAP_SERVERS"].flatMap { $0.isEmpty ? nil : $0 }
    }

    func validate() throws {
        if crashBroker != nil, bootstrapServers == nil {
            throw ValidationError("--crash-broker: KAFKA_BOOTSTRAP_SERVERS names no cluster to crash.")
        }
        guard duration >= 20 else { throw ValidationError("--duration \(duration): expected 20 or more.") }
        guard FileManager.default.fileExists(atPath: funnels) else {
            throw ValidationError("\(funnels) does not exist: run scripts/torture, or give the file with --funnels.")
        }
    }

    func run() async throws {
        // A child process may have ended before a write to its input.
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
                isMounting: mount,
                bootstrapServers: bootstrapServers,
                crashCommand: crashBroker
            )
            do {
                let result = try await Self.untilSignal { try await torture.run() }
                try StandardOutput.write(result.table)
                guard result.isSurvived else { throw ExitCode.failure }
            } catch {
                StandardError.write("funnel-torture: seed \(seed), the files of the run are in \(folder.path)\n")
                throw error
            }
            try FileManager.default.removeItem(at: folder)
        }
    }

    /// Runs `body`. A signal cancels it, so that all child processes end.
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
                // Waits until all processes have ended.
                _ = try? await group.next()
                throw ExitCode(130)
            }
            return result
        }
    }
}
