import ArgumentParser

/// `funnel-bench`: makes the events that the benchmarks use, and measures what needs to be inside a process.
@main struct FunnelBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-bench",
        abstract: "Makes the benchmarks' events and measures the consumer's own path. See scripts/bench.",
        subcommands: [Publish.self, WriteFile.self, Path.self, Memory.self, HotInstall.self]
    )
}

/// How many events of how many installs.
struct EventOptions: ParsableArguments {
    @Option(help: "How many events.")
    var events = 1_000_000

    @Option(help: "Of how many installs.")
    var installs = 50_000

    var all: BenchmarkEvents { BenchmarkEvents(count: events, installCount: installs) }
}
