import ArgumentParser
import FunnelCommandSupport
import Foundation
import RDKafka

/// `funnel-demo`: the whole way of an event on one machine, from a tap to a report.
@main struct FunnelDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-demo",
        abstract: "Simulated people use an app; a Kafka broker, the consumer and the report do the rest.",
        discussion: """
            The broker is within this process and gone at the end. The other programs are the real ones, from beside this \
            one. The same seed is the same people, who do the same.
            """
    )

    @Option(help: "How many people use the app, from 1 to 100000.")
    var people = 5000

    @Option(help: "How many days they use it, from 1 to 14; the last one is yesterday, in UTC.")
    var days = 7

    @Option(help: "Other seeds are other people.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Where the store goes; a file that is not there yet. Else a new folder for temporary files.",
            valueName: "path"
        )
    )
    var keep: String?

    @Option(help: "How the events get to the broker: kafka, or http, through event-collector.")
    var via = EventRoute.kafka

    @Option(help: ArgumentHelp("The funnels file.", valueName: "path"))
    var funnels = "config/funnels.yaml"

    func validate() throws {
        guard (1...100_000).contains(people) else {
            throw ValidationError("--people \(people): expected a number from 1 to 100000.")
        }
        // The consumer's allowed lateness is 14 days: within it nothing is late, whatever arrives in whichever order.
        guard (1...14).contains(days) else { throw ValidationError("--days \(days): expected a number from 1 to 14.") }
        if let keep, FileManager.default.fileExists(atPath: keep) {
            throw ValidationError("--keep \(keep) is there already: give a new file, a store belongs to one broker.")
        }
        guard FileManager.default.fileExists(atPath: funnels) else {
            throw ValidationError("\(funnels) is not there: run scripts/demo, or give the file with --funnels.")
        }
    }

    func run() async throws {
        try await FailureReport(command: "funnel-demo", status: Self.status).reporting {
            let programs = try Programs.beside(Bundle.main.executableURL, for: via)
            try await Interruption.ending { try await demonstrate(with: programs) }
        }
    }

    private func demonstrate(with programs: Programs) async throws {
        let workspace = try Workspace(keeping: keep)
        let demo = Demo(
            people: people,
            days: days,
            seed: seed,
            funnels: funnels,
            programs: programs,
            workspace: workspace
        )
        do {
            try await demo.run()
        } catch {
            workspace.discard()
            throw error
        }
        workspace.finish()
    }

    private static let status: @Sendable (any Error) -> Sysexits? = { error in
        switch error {
        case is KafkaError: .unavailable
        case is KafkaConfigurationError: .configuration
        default: nil
        }
    }
}
