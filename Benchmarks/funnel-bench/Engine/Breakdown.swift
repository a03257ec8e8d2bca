import ArgumentParser
import EventReader
import FlowEvents
import FunnelStore
import FunnelStoreSQLite
import Funnels

/// Measures the report of a breakdown with many values.
struct Breakdown: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts installs that each have a breakdown value of their own, and makes a report."
    )

    @Option(help: "The number of breakdown values.")
    var values = 300_000

    @Option(help: ArgumentHelp("The SQLite file to create.", valueName: "path"))
    var store: String

    func run() throws {
        let funnel = try Funnel(
            name: "by-source",
            window: .seconds(3600),
            breakdown: "paywall_source",
            steps: [Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"])]
        )
        let database = try SQLiteFunnelStore(path: store)
        _ = try database.open(StoreIdentity(clusterID: "bench", topic: "bench", funnels: [funnel]))
        var collector = FunnelCollector(funnels: [funnel])
        var counter = FunnelCounter(funnels: [funnel])
        let reader = EventReader(fields: collector.fields)
        for number in 0..<values {
            let value = try Self.event(number).encoded()
            value.withUnsafeBytes { value in
                _ = reader.read(value, recordTimestamp: nil) { collector.insert($0, partition: 0) }
            }
        }
        var batch = counter.batch(of: collector.takeInterval())
        try batch.count { _ in [] }
        _ = try database.commit(
            StoreCommit(partitions: [], installs: batch.writes, summary: CountedTotals(batch).summary())
        )
        try database.close()

        let memoryBefore = residentBytes()
        let reading = try SQLiteFunnelReader(path: store)
        let clock = ContinuousClock()
        var report: FunnelReport?
        let time = try clock.measure {
            report = try reading.withSnapshot { try FunnelReport.make(from: $0, funnels: [funnel]) }
        }
        print(
            """
            {"name":"breakdown","values":\(values),"shown":\(report?.funnels[0].breakdown?.count ?? 0),\
            "left_out":\(report?.funnels[0].valuesLeftOut ?? 0),"report_s":\(time.inSeconds),\
            "resident_bytes":\(residentBytes() - memoryBefore)}
            """
        )
    }

    private static func event(_ number: Int) -> Event {
        Event(
            id: "event-\(number)",
            source: "app://com.example.shop",
            type: "screen_view",
            // 2026-03-02T00:00:00Z
            time: Timestamp(milliseconds: 1_772_409_600_000 + Int64(number)),
            installID: "install-\(number)",
            screen: "paywall",
            paywallSource: "campaign-\(number)-of-a-hostile-client"
        )
    }
}
