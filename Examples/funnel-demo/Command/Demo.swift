import EventTracking
import FunnelCommandSupport
import FlowDemoSimulation
import FlowEvents
import Foundation
import FunnelFile
import HTTPSink
import SimulatedAppStore
import Subprocess

/// One run of the demo: performs the steps and describes them.
struct Demo: Sendable {
    let people: Int
    let days: Int
    let seed: UInt64
    let funnels: String
    let route: EventRoute
    let programs: Programs
    let workspace: Workspace

    private var store: String { "sqlite:\(workspace.storePath)" }

    func run() async throws {
        let broker = try DemoBroker(people: people)
        let edge = DemoEdge(
            collector: programs.collector,
            workspace: workspace,
            bootstrapServers: broker.bootstrapServers
        )
        try say(
            """
            \(people.grouped) simulated people use an app for \(days == 1 ? "a day" : "\(days) days"), seed \(seed).

            1. An embedded Kafka broker listens on \(broker.bootstrapServers): topic \(DemoBroker.topic) with \
            \(broker.partitions) partitions.

            2. The people tap and swipe through the app. Its flows track the screens, and the events go over \
            \(route == .kafka ? "TCP" : "HTTP").
               The collector runs for \(route == .kafka ? "" : "them and ")the store's server.

               $ \(edge.collector.commandLine(edge.arguments))

            """
        )
        let plan = SimulationPlan(people: people, days: days, before: .now, seed: seed)
        let publication = try await publish(plan, to: broker, through: edge)

        try await broker.saveEvents(to: workspace.eventsPath)
        let consumer = [
            "--config", workspace.configurationPath, "--funnels", funnels, "--store", store, "--bootstrap-servers",
            broker.bootstrapServers, "--topic", DemoBroker.topic, "--dead-letter-topic", DemoBroker.deadLetterTopic,
            "--group-id", "funnel-demo", "--exit-at-end",
        ]
        try say("\n4. The consumer reads the topic and counts.\n\n   $ \(programs.consumer.commandLine(consumer))\n")
        try await programs.consumer.run(consumer)

        let report = ["--store", store]
        try say("\n5. The report.\n\n   $ \(programs.report.commandLine(report))\n")
        try await programs.report.run(report)

        let check = ReportCheck(publication, funnels: try FunnelsFile.read(path: funnels))
        try say("\n6. \(check.sentence(for: try await programs.report.output(report + ["--format", "json"])))\n")
        try say(nextSteps(plan))
    }

    /// Shows the store's report in a browser until this task is canceled.
    @MainActor
    func serve() async throws {
        // Port 0 selects a free port, so that several demos can run on one machine.
        let arguments = ["serve", "--store", store, "--listen", "127.0.0.1:0"]
        try say("\n7. The report in a browser.\n\n   $ \(programs.report.commandLine(arguments))\n")
        try await programs.report.serve(arguments, environment: ["LOG_LEVEL": "notice"]) { line in
            line.firstMatch(of: /listening on (\S+)$/).map { String($0.1) }
        } body: { address in
            try say("   Open \(address) in a browser. Ctrl-C ends it.")
            let (forever, continuation) = AsyncStream<Void>.makeStream()
            for await _ in forever {}
            continuation.finish()
        }
    }

    @MainActor
    private func publish(
        _ plan: SimulationPlan,
        to broker: DemoBroker,
        through edge: DemoEdge
    ) async throws -> Publication {
        let authority = try SigningAuthority(.init(around: .now))
        let server = try StoreServer(authority, seed: seed)
        return try await edge.run(trusting: authority) { address in
            let phones = route == .http ? address : nil
            var publication = try await publish(plan, to: broker, posting: phones)
            try say(publication.summary)
            try say("\n3. In the days after, the store's server posts signed notifications to the collector.")
            let posts = try server.posts(about: publication.result.purchases, until: plan.end)
            publication.store = try await StorePosts.post(posts, to: address.url)
            try say(publication.store.summary)
            return publication
        }
    }

    @MainActor
    private func publish(
        _ plan: SimulationPlan,
        to broker: DemoBroker,
        posting edge: HTTPSinkConfiguration?
    ) async throws -> Publication {
        var progress = ProgressDisplay(isTerminal: isatty(STDOUT_FILENO) == 1)
        let publication = try await broker.publish(plan, through: edge, journeysPath: workspace.journeysPath) { share in
            if let text = progress.text(for: share) { try StandardOutput.write(text) }
        }
        try StandardOutput.write(progress.ending)
        return publication
    }

    private func say(_ text: String) throws(CommandFailure) {
        try StandardOutput.write(text + "\n")
    }

    private func nextSteps(_ plan: SimulationPlan) -> String {
        let last = plan.end.milliseconds - 1
        let first = last - Int64(min(3, days) - 1) * 86_400_000
        let (from, to) = (Self.day(first), Self.day(last))
        let lines = [
            programs.report.commandLine(["paywall-to-purchase", "--store", store, "--from", from, "--to", to]),
            programs.report.commandLine(["--store", store, "--format", "csv"]),
            programs.report.commandLine([
                "preview", "--funnels", funnels, "--events", workspace.eventsPath, "--format", "html",
            ]) + " >draft.html",
            "scripts/demo --people \((people * 2).description) --seed \((seed &+ 1).description) --keep demo.sqlite",
        ]
        return """
            The store is \(workspace.storePath), the events are in \(workspace.eventsPath). Try next:

               \(lines.joined(separator: "\n   "))

            Change \(funnels) and preview it to count something else; README.md shows the same with a real Kafka.
            """
    }

    private static func day(_ milliseconds: Int64) -> String {
        String(Timestamp(milliseconds: milliseconds).description.prefix(10))
    }
}
