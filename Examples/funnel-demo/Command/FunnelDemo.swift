import ArgumentParser
import EventTracking
import FlowDemoSimulation
import FunnelCommandSupport
import Foundation
import HTTPSink
import RDKafka

/// `funnel-demo`: the complete path of an event on one machine, from a tap to a report.
@main struct FunnelDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-demo",
        abstract: "Simulates people who use an app, sends their events through Kafka, and prints a report.",
        discussion: """
            The broker runs in this process and ends with it. The other programs are the real ones, from the folder of \
            this one. The same seed always gives the same people and the same events.
            """
    )

    @Option(help: "The number of people, from 1 to 100000.")
    var people = 5000

    @Option(help: "The number of days, from 1 to 14. The last day is yesterday, in UTC.")
    var days = 7

    @Option(help: "The seed of the simulation. A different seed gives different people.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "The SQLite file for the store. It must not exist yet. Default: a file in a new temporary folder.",
            valueName: "path"
        )
    )
    var keep: String?

    @Option(help: "How events reach the broker: kafka for directly, http for through event-collector.")
    var via = EventRoute.kafka

    @Option(help: ArgumentHelp("The funnels file.", valueName: "path"))
    var funnels = "config/funnels.yaml"

    @Flag(help: "Shows the report in a browser at the end, until Ctrl-C.")
    var serve = false

    @Option(
        help: ArgumentHelp(
            "Sends the events of people who use the app now to a collector, such as http://127.0.0.1:8080/v1/events of "
                + "funnel-dev, and does nothing else. One more person comes every second.",
            valueName: "url"
        ),
        transform: { text in
            guard let url = URL(string: text), url.host() != nil else {
                throw ValidationError("expected a URL such as http://127.0.0.1:8080/v1/events")
            }
            return url
        }
    )
    var to: URL?

    @Option(help: ArgumentHelp("The write key for --to.", valueName: "key"))
    var key = "demo"

    func validate() throws {
        guard (1...100_000).contains(people) else {
            throw ValidationError("--people \(people): expected a number from 1 to 100000.")
        }
        // The consumer's allowed lateness is 14 days. Within 14 days no event is late, in any order of arrival.
        guard (1...14).contains(days) else { throw ValidationError("--days \(days): expected a number from 1 to 14.") }
        if let keep, FileManager.default.fileExists(atPath: keep) {
            throw ValidationError("--keep \(keep): the file exists. Give a new path: a store belongs to one broker.")
        }
        guard FileManager.default.fileExists(atPath: funnels) else {
            throw ValidationError("\(funnels): no such file. Run scripts/demo, or give the path with --funnels.")
        }
    }

    func run() async throws {
        try await FailureReport(command: "funnel-demo", status: Self.status).reporting {
            if let to { return try await Interruption.ending { try await sendNow(to: to) } }
            let programs = try Programs.beside(Bundle.main.executableURL)
            try await Interruption.ending { try await demonstrate(with: programs) }
        }
    }

    @MainActor
    private func sendNow(to url: URL) async throws {
        let sink = EventSink.http(HTTPSinkConfiguration(url: url, writeKey: key))
        let simulation = Simulation(SimulationPlan(people: people, from: .now, seed: seed)) { _ in sink }
        do {
            try await simulation.runInRealTime()
        } catch {
            await sink.shutdown()
            throw error
        }
        await sink.shutdown()
    }

    private func demonstrate(with programs: Programs) async throws {
        let workspace = try Workspace(keeping: keep)
        let demo = Demo(
            people: people,
            days: days,
            seed: seed,
            funnels: funnels,
            route: via,
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
        if serve { try await demo.serve() }
    }

    private static let status: @Sendable (any Error) -> Sysexits? = { error in
        switch error {
        case is KafkaError: .unavailable
        case is KafkaConfigurationError: .configuration
        default: nil
        }
    }
}
