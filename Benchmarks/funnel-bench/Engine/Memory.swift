import ArgumentParser
import EventReader
import FlowEvents
import FunnelFile
import Funnels

/// Measures the memory of installs in the engine, without a store.
struct Memory: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts events and prints the memory per install in bytes."
    )

    @OptionGroup var options: EventOptions

    @Option(help: ArgumentHelp("The funnels file.", valueName: "path"))
    var funnels = "Benchmarks/light-funnels.yaml"

    @Option(help: "The number of events between two commits.")
    var commitEvery = 250_000

    @Option(help: "The memory for the states of installs, in MiB. Unlimited by default.")
    var cacheMib: Int?

    func run() throws {
        let funnels = try FunnelsFile.read(path: funnels)
        let bounds = FunnelBounds(allowedLateness: 14 * 86_400_000, cacheBytes: cacheMib.map { $0 << 20 } ?? .max)
        let iterator = options.all.makeIterator()
        let memoryBefore = residentBytes()
        var collector = FunnelCollector(funnels: funnels)
        var counter = FunnelCounter(funnels: funnels, bounds: bounds)
        let reader = EventReader(fields: collector.fields)
        var count = 0
        var matching = 0
        while true {
            let (bytes, ends) = try Path.encode(iterator, count: commitEvery)
            guard !ends.isEmpty else { break }
            var position = 0
            for end in ends {
                bytes[position..<end].withUnsafeBytes { value in
                    _ = reader.read(value, recordTimestamp: nil) { collector.insert($0, partition: 0) }
                }
                position = end
            }
            count += ends.count
            matching += collector.pendingCount
            var batch = counter.batch(of: collector.takeInterval())
            // Evicted installs are counted as new, because this measures memory and not funnels.
            try batch.count { _ in [] }
            counter.confirm(batch)
        }
        let installs = max(1, counter.installCount)
        print(
            """
            {"name":"memory","events":\(count),"installs":\(installs),\
            "matching_per_install":\(Double(matching) / Double(installs)),\
            "resident_bytes":\(residentBytes() - memoryBefore),\
            "resident_bytes_per_install":\((residentBytes() - memoryBefore) / installs),\
            "cache_bytes_per_install":\(counter.cacheByteCount / installs)}
            """
        )
    }
}
