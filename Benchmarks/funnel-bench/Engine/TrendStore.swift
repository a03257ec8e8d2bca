import ArgumentParser
import EventReader
import FlowEvents
import FunnelStore
import FunnelStoreSQLite
import Funnels

/// Makes a store to measure trends with: installs that come back for months, and a breakdown of a few values.
struct TrendStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts installs that come on five days each, and writes an SQLite store to report from."
    )

    @Option(help: "The number of installs.")
    var installs = 50_000

    @Option(help: "The number of days.")
    var days = 90

    @Option(help: "The number of breakdown values.")
    var values = 10

    @Option(help: ArgumentHelp("The SQLite file to create.", valueName: "path"))
    var store: String

    private static let visits = 5
    // 2026-03-02T00:00:00Z
    private static let start: Int64 = 1_772_409_600_000

    func run() throws {
        let funnel = try Funnel(
            name: "paywall-to-purchase",
            window: .seconds(3600),
            breakdown: "paywall_source",
            steps: [
                Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
                Step(name: "purchase", event: "purchase"),
            ]
        )
        let database = try SQLiteFunnelStore(path: store)
        _ = try database.open(StoreIdentity(clusterID: "bench", topic: "bench", funnels: [funnel]))
        var collector = FunnelCollector(funnels: [funnel])
        var counter = FunnelCounter(funnels: [funnel])
        let reader = EventReader(fields: collector.fields)
        var random = SplitMix(state: 7)
        let commits = 20
        for commit in 0..<commits {
            for install in stride(from: commit, to: installs, by: commits) {
                for event in visits(of: install, &random) {
                    let value = try event.encoded()
                    value.withUnsafeBytes { value in
                        _ = reader.read(value, recordTimestamp: nil) { collector.insert($0, partition: 0) }
                    }
                }
            }
            var batch = counter.batch(of: collector.takeInterval())
            // Each install comes in one commit.
            try batch.count { _ in [] }
            _ = try database.commit(
                StoreCommit(partitions: [], installs: batch.writes, summary: CountedTotals(batch).summary())
            )
            counter.confirm(batch)
        }
        try database.close()
    }

    private func visits(of install: Int, _ random: inout SplitMix) -> [Event] {
        (0..<Self.visits).flatMap { visit -> [Event] in
            let day = Int64(random.next() % UInt64(days))
            let time = Self.start + day * 86_400_000 + Int64(random.next() % 80_000_000)
            let source = "source-\(random.next() % UInt64(values))"
            let paywall = event(install, visit, time, source)
            guard random.next() % 4 == 0 else { return [paywall] }
            var purchase = event(install, visit, time + Int64(random.next() % 1_000_000), nil)
            purchase.id += "-purchase"
            purchase.type = "purchase"
            purchase.screen = nil
            return [paywall, purchase]
        }
    }

    private func event(_ install: Int, _ visit: Int, _ time: Int64, _ source: String?) -> Event {
        Event(
            id: "event-\(install)-\(visit)",
            source: "app://com.example.shop",
            type: "screen_view",
            time: Timestamp(milliseconds: time),
            installID: "install-\(install)",
            screen: "paywall",
            paywallSource: source
        )
    }
}
