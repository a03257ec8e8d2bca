import ArgumentParser
import EventReader
import Events
import FunnelFile
import FunnelStore
import FunnelStoreSQLite
import Funnels
import Foundation

/// The consumer's own path from memory: read, count, commit; without a broker.
struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads, counts and commits events from memory, with a commit for each so many."
    )

    @OptionGroup var options: EventOptions

    @Option(help: ArgumentHelp("The funnels file.", valueName: "path"))
    var funnels = "config/funnels.yaml"

    @Option(help: "Events between two commits.")
    var commitEvery = 250_000

    @Option(help: ArgumentHelp("The SQLite file; made anew.", valueName: "path"))
    var store: String

    func run() throws {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for event in options.all {
            try event.encode(into: &bytes)
            ends.append(bytes.count)
        }
        let funnels = try FunnelsFile.read(path: funnels)
        let database = try SQLiteFunnelStore(path: store)
        _ = try database.open(StoreIdentity(clusterID: "bench", topic: "bench", funnels: funnels))
        var engine = FunnelEngine(funnels: funnels)
        let reader = EventReader(fields: engine.fields)
        var intake = PartitionIntake(partition: 0, stored: nil, allowedLateness: 14 * 86_400_000)
        var spent = (read: Duration.zero, settle: Duration.zero, commit: Duration.zero)
        var rows = 0
        let clock = ContinuousClock()
        var start = clock.now
        var position = 0
        for (offset, end) in ends.enumerated() {
            bytes[position..<end].withUnsafeBytes { value in
                _ = reader.read(value, recordTimestamp: nil) { event in
                    if intake.admit(time: event.time, offset: Int64(offset)) { engine.insert(event, partition: 0) }
                }
            }
            position = end
            guard (offset + 1) % commitEvery == 0 || offset + 1 == ends.count else { continue }
            let read = clock.now
            engine.begin()
            engine.settler.load([])
            let settlement = try engine.settler.settle()
            let settled = clock.now
            let (progress, expected) = intake.takeChanges()
            let advance = PartitionAdvance(
                partition: 0,
                expectedOffset: expected,
                nextOffset: progress.nextOffset,
                watermark: progress.watermark,
                quality: progress.quality
            )
            rows += settlement.installs.count
            _ = try database.commit(
                StoreCommit(partitions: [advance], installs: settlement.installs, summary: settlement.summary)
            )
            engine.settler.confirm()
            let committed = clock.now
            spent.read += start.duration(to: read)
            spent.settle += read.duration(to: settled)
            spent.commit += settled.duration(to: committed)
            start = committed
        }
        let total = spent.read + spent.settle + spent.commit
        print(
            """
            {"name":"path","events":\(ends.count),"bytes_per_event":\(bytes.count / max(1, ends.count)),"rows":\(rows),\
            "read_s":\(spent.read.inSeconds),"settle_s":\(spent.settle.inSeconds),\
            "commit_s":\(spent.commit.inSeconds),"events_per_second":\(Int(Double(ends.count) / total.inSeconds))}
            """
        )
        try database.close()
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
