import ArgumentParser
import FunnelCommandSupport
import Foundation

/// `funnel-chaos`: torments the whole pipeline, and then holds its report against a brute force.
@main struct FunnelChaos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-chaos",
        abstract: "Kills, stops, cuts and shuffles; then every figure of the report has to be right.",
        discussion: """
            Two producers, funnel-consumer as it was built in three processes (one with SQLite), Kafka embedded and \
            PostgreSQL started for this. The same seed has the same events and the same torments at the same times; how \
            the processes meet is the machine's affair. Exit code 0: no difference. 1: differences, and the folder with \
            the logs is kept.
            """
    )

    enum Store: String, CaseIterable, ExpressibleByArgument {
        case postgres, sqlite
    }

    @Option(help: ArgumentHelp("Which run; a random one, which is printed, where none is given.", valueName: "number"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("How long events come and torments go on, 1 to 3600.", valueName: "seconds"))
    var duration = 60

    @Option(help: ArgumentHelp("Events a second, 8 to 5000.", valueName: "number"))
    var rate = 300

    @Option(help: "Where the consumers count.")
    var store = Store.postgres

    @Option(help: ArgumentHelp("How long everything may take to be counted in the end.", valueName: "seconds"))
    var patience = 180

    @Flag(help: "Keep the folder with the logs in any case.")
    var keep = false

    func validate() throws {
        guard (1...3600).contains(duration) else {
            throw ValidationError("--duration \(duration): expected a number from 1 to 3600.")
        }
        guard (8...5000).contains(rate) else {
            throw ValidationError("--rate \(rate): expected a number from 8 to 5000.")
        }
    }

    func run() async throws {
        let seed = seed ?? .random(in: 1...999_999)
        let workspace = try Workspace()
        // At once, so that it is known whatever happens.
        StandardError.write("funnel-chaos: seed \(seed), logs in \(workspace.path)\n")
        let scoreboard: Scoreboard
        do {
            let options = ChaosRun.Options(
                seed: seed,
                seconds: duration,
                rate: rate,
                isSQLite: store == .sqlite,
                patience: .seconds(patience)
            )
            scoreboard = try await ChaosRun(options, in: workspace).run()
        } catch {
            StandardError.write("funnel-chaos: seed \(seed): \(error); logs in \(workspace.path)\n")
            throw ExitCode(Sysexits.software.rawValue)
        }
        try StandardOutput.write(scoreboard.table)
        for difference in scoreboard.differences.prefix(20) { try StandardOutput.write("  \(difference)\n") }
        if scoreboard.isRight, !keep { workspace.remove() }
        if !scoreboard.isRight {
            StandardError.write("funnel-chaos: the numbers differ; logs in \(workspace.path)\n")
            throw ExitCode.failure
        }
    }
}
