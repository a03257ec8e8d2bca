import ArgumentParser
import EventTracking
import FlowEvents
import Foundation
import FunnelCommandSupport
import FunnelCommandTopics
import FunnelConsumer
import FunnelConsumerConfiguration
import FunnelServiceSupport
import Logging

/// `funnel-consumer erase`: asks for the erasure of a person's installs.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases installs: publishes requests that take them out of the store, with all their events.",
        discussion: """
            Prints the installs and asks on a terminal, or does it at once with --yes. The consumer erases an install when it \
            reads the request, and logs the hash that is left of it. --user reads the whole topic for the installs that \
            have sent the user_id. Kafka keeps the events until the retention of the topic ends.
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Erase this install. It may be given more than once.", valueName: "id"))
    var install: [String] = []

    @Option(help: ArgumentHelp("Erase the installs of a file, one a line; - for standard input.", valueName: "path"))
    var installsFrom: String?

    @Option(help: ArgumentHelp("Erase the installs that have sent this user_id.", valueName: "id"))
    var user: String?

    @Flag(help: "Do not ask.")
    var yes = false

    func validate() throws {
        guard [!install.isEmpty, installsFrom != nil, user != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("expected one of --install, --installs-from and --user")
        }
        guard user?.isEmpty != true else { throw ValidationError("--user: expected a user_id") }
    }

    func run() async throws {
        try await FailureReport.funnelConsumer.reporting {
            let settings = try connection.settings()
            let logger = Logger.command("funnel-consumer")
            let topic = ErasureTopic(
                kafka: try settings.kafkaConfiguration(logger),
                topic: settings.topic,
                logger: logger
            )
            let installs = try await installs(topic)
            guard !installs.isEmpty else {
                try StandardOutput.write("no install to erase\n")
                return
            }
            for install in installs { try StandardOutput.write("\(TerminalText.visible(install))\n") }
            let count = installs.count == 1 ? "1 install" : "\(installs.count) installs"
            guard try isConfirmed("Erase \(count)? Nothing brings the events back. [y/N] ") else {
                try StandardOutput.write("nothing was erased\n")
                return
            }
            let ids = IDGenerator.uuidV7()
            let now = Timestamp.current
            try await topic.request(erasing: installs, now: now, id: { ids(at: now) })
            try StandardOutput.write(
                "requested in \(settings.topic): the consumer erases what it reads a request for\n"
            )
        }
    }

    /// The installs, each once, in the order in which they were given.
    private func installs(_ topic: ErasureTopic) async throws -> [String] {
        var installs = install
        if let installsFrom {
            installs = try ListFile.lines(of: installsFrom, option: "--installs-from", failure: .usage)
        }
        if let user {
            // A read of the topic blocks.
            installs = try await Task.detached { try topic.installs(ofUser: user) }.value
        }
        var seen: Set<[UInt8]> = []
        let unique = installs.filter { seen.insert(Array($0.utf8)).inserted }
        for install in unique {
            guard !install.isEmpty, install.utf8.count <= 1024 else {
                throw CommandFailure(
                    .usage,
                    "\(TerminalText.visible(String(install.prefix(50)))): expected an install_id of 1 to 1,024 bytes"
                )
            }
        }
        return unique
    }

    private func isConfirmed(_ question: String) throws -> Bool {
        if yes { return true }
        guard Terminal.canAsk else {
            throw CommandFailure(.usage, "nothing was erased: standard input is not a terminal to ask on. Add --yes")
        }
        StandardError.write(question)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
