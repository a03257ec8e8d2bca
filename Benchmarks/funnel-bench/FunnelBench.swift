import ArgumentParser

/// `funnel-bench`: makes the events of the benchmarks, and measures parts of the consumer in one process.
@main struct FunnelBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-bench",
        abstract: "Makes the events of the benchmarks and measures the consumer's code. See scripts/bench.",
        subcommands: [
            Publish.self, Live.self, WriteFile.self, Path.self, Memory.self, HotInstall.self, Breakdown.self,
            TrendStore.self,
        ]
    )
}

/// The number of events and installs.
struct EventOptions: ParsableArguments {
    @Option(help: "The number of events.")
    var events = 1_000_000

    @Option(help: "The number of installs.")
    var installs = 50_000

    var all: BenchmarkEvents { BenchmarkEvents(count: events, installCount: installs) }
}
