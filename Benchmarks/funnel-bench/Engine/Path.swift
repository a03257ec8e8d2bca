import ArgumentParser
import EventReader
import FlowEvents
import Foundation
import FunnelFile
import FunnelStore
import FunnelStoreSQLite
import Funnels

/// Measures the consumer's code without a broker: reads, counts and commits events from memory.
struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads, counts and commits events from memory."
    )

    @OptionGroup var options: EventOptions

    @Option(help: ArgumentHelp("The funnels file.", valueName: "path"))
    var funnels = "Benchmarks/light-funnels.yaml"

    @Option(help: "The number of events between two commits.")
    var commitEvery = 250_000

    @Option(
        help: """
            The matching events that an install has in the 12 days before, as in the live load. They are counted, but not
            measured. The events to measure follow, 2,000 for each second.
            """
    )
    var history = 0

    @Option(help: "The number of events in a block of an install's history.")
    var eventsPerBlock = FunnelBounds().eventsPerBlock

    @Flag(help: "Ignore the sequence numbers of events. The difference is their cost.")
    var unnumbered = false

    @Flag(help: "Write rows in place, and not in the log of rows. The difference is what the log brings.")
    var inPlace = false

    @Option(help: ArgumentHelp("The SQLite file to create.", valueName: "path"))
    var store: String

    private static let lateness: Int64 = 14 * 86_400_000

    func run() throws {
        let funnels = try FunnelsFile.read(path: funnels)
        let database = try SQLiteFunnelStore(path: store)
        _ = try database.open(StoreIdentity(clusterID: "bench", topic: "bench", funnels: funnels))
        var collector = FunnelCollector(funnels: funnels)
        var bounds = FunnelBounds()
        bounds.eventsPerBlock = max(1, eventsPerBlock)
        var counter = FunnelCounter(funnels: funnels, bounds: bounds)
        let reader = EventReader(fields: collector.fields)
        var intake = PartitionIntake(partition: 0, stored: nil, allowedLateness: Self.lateness)
        var spent = (read: Duration.zero, count: Duration.zero, commit: Duration.zero)
        var rows = 0
        var matching = 0
        let clock = ContinuousClock()
        let iterator = history > 0 ? eventsOfDays() : options.all.makeIterator()
        var rest = history * options.installs
        let memoryBefore = residentBytes()
        var writtenBefore = writtenBytes()
        var offset = 0
        var byteCount = 0
        while true {
            // Making the events is not measured.
            let (bytes, ends) = try Self.encode(iterator, count: rest > 0 ? min(rest, 100_000) : commitEvery)
            guard !ends.isEmpty else { break }
            byteCount += bytes.count
            let start = clock.now
            var position = 0
            for end in ends {
                bytes[position..<end].withUnsafeBytes { value in
                    _ = reader.read(value, recordTimestamp: nil) { event in
                        let isLate = !intake.admit(time: event.time, recordTimestamp: nil, offset: Int64(offset))
                        var event = copy event
                        if unnumbered { event.sequence = nil }
                        collector.insert(event, partition: 0, isLate: isLate)
                    }
                }
                position = end
                offset += 1
            }
            let read = clock.now
            matching += collector.pendingCount
            var batch = counter.batch(of: collector.takeInterval())
            // The cache has all rows, so that a missing one is of a new install.
            try batch.count { $0.withHistory ? try database.installs($0.installs, history: .all) : [] }
            let totals = CountedTotals(batch)
            let summary = totals.summary()
            let counted = clock.now
            let (progress, expected) = intake.takeChanges()
            let advance = PartitionAdvance(
                partition: 0,
                expectedOffset: expected,
                nextOffset: progress.nextOffset,
                watermark: progress.watermark,
                quality: progress.quality + Quality(completeness: totals.quality[0]?.completeness ?? Completeness())
            )
            var writes = batch.writes
            rows += writes.count
            if inPlace { for index in writes.indices { writes[index].previousState = nil } }
            _ = try database.commit(StoreCommit(partitions: [advance], installs: writes, summary: summary))
            counter.confirm(batch)
            counter.horizon = EvidenceHorizon.time(
                [progress],
                partitionCount: 1,
                allowedLateness: Self.lateness
            )
            let committed = clock.now
            guard rest == 0 else {
                rest -= ends.count
                (byteCount, rows, matching, writtenBefore) = (0, 0, 0, writtenBytes())
                continue
            }
            spent.read += start.duration(to: read)
            spent.count += read.duration(to: counted)
            spent.commit += counted.duration(to: committed)
        }
        // What is in the log must be written in place in the end.
        try database.close()
        let written = writtenBytes() - writtenBefore
        let total = spent.read + spent.count + spent.commit
        let installs = counter.installCount
        let events = offset - history * options.installs
        print(
            """
            {"name":"path","events":\(events),"bytes_per_event":\(byteCount / max(1, events)),"rows":\(rows),\
            "read_s":\(spent.read.inSeconds),"count_s":\(spent.count.inSeconds),\
            "commit_s":\(spent.commit.inSeconds),"events_per_second":\(Int(Double(events) / total.inSeconds)),\
            "installs":\(installs),"bytes_per_install":\((residentBytes() - memoryBefore) / max(1, installs)),\
            "matching_per_install":\(Double(matching) / Double(max(1, installs))),\
            "written_per_event":\(written / max(1, events))}
            """
        )
    }

    /// The history, evenly spread over its time and over the installs, then the events to measure.
    private func eventsOfDays() -> AnyIterator<Event> {
        var events = DayEvents(installs: options.installs)
        let before = history * options.installs
        let end: Int64 = 1_773_446_400_000
        let span: Int64 = 12 * 86_400_000
        var number = 0
        return AnyIterator {
            guard number < before + options.events else { return nil }
            defer { number += 1 }
            let time =
                number < before
                ? end - span + span * Int64(number) / Int64(before) : end + Int64(number - before) * 1000 / 2000
            return events.next(at: Timestamp(milliseconds: time))
        }
    }

    static func encode(_ events: AnyIterator<Event>, count: Int) throws -> (bytes: [UInt8], ends: [Int]) {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        while ends.count < count, let event = events.next() {
            try event.encode(into: &bytes)
            ends.append(bytes.count)
        }
        return (bytes, ends)
    }
}

/// Returns the resident memory of the process in bytes; 0 if it is unknown.
func residentBytes() -> Int {
    // The second number is the resident pages; see man 5 proc.
    let numbers = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return numbers.count > 1 ? (Int(numbers[1]) ?? 0) * 4096 : 0
}

/// Returns the bytes that the process has written to a disk, also those that wait for it; 0 if they are unknown.
func writtenBytes() -> Int {
    // See man 5 proc.
    let lines = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8))?.split(separator: "\n") ?? []
    return lines.lazy.compactMap { line in
        line.hasPrefix("write_bytes: ") ? Int(line.dropFirst("write_bytes: ".count)) : nil
    }.first ?? 0
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
