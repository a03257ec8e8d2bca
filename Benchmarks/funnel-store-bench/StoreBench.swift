import FunnelCommandStores
import FunnelConsumerConfiguration
import FlowEventTestSupport
import FlowEvents
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels

/// Measures a store: rows inserted, updated and read per second, the cost of an event live, and the time to read a
/// report.
///
/// The store must be empty. Without a URL, it is a temporary SQLite file.
///
///     funnel-store-bench [sqlite:PATH | postgres://…] [INSTALLS [ROWS-PER-COMMIT [STATE-BYTES [COMMITS]]]]
@main struct StoreBench {
    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
        let total = numbers.first ?? 50_000
        let rows = min(numbers.dropFirst().first ?? total, total)
        let stateSize = numbers.dropFirst(2).first ?? 700
        let commits = numbers.dropFirst(3).first ?? 8
        let directory = NSTemporaryDirectory() + "funnel-store-bench-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let urls = CommandLine.arguments.dropFirst().filter { Int($0) == nil }
        let url = try urls.first.map { try StoreURL($0) } ?? .sqlite(path: directory + "/bench.sqlite")
        var installs = BenchInstalls(count: total, stateSize: stateSize)
        let store = try url.openStore(onOutage: { _ in }, onVacuum: { _ in })
        _ = try store.open(StoreFixtures.identity())
        let clock = ContinuousClock()

        func commit(_ indices: [Int]) throws -> Duration {
            let writes = indices.map { installs.write($0) }
            let commit = StoreCommit(partitions: [], installs: writes, summary: [])
            let start = clock.now
            guard case .committed = try store.commit(commit) else { return .zero }
            let duration = clock.now - start
            installs.confirm(indices)
            return duration
        }
        func say(_ what: String, _ count: Int, _ durations: [Duration]) {
            let seconds = durations.reduce(.zero, +) / .seconds(1)
            let worst = (durations.max() ?? .zero) / .milliseconds(1)
            print("\(what): \(Int(Double(count) / seconds)) rows/s, longest commit \(Int(worst)) ms")
        }

        let inserts = try stride(from: 0, to: total, by: rows).map { try commit(Array($0..<min($0 + rows, total))) }
        say("insert", total, inserts)
        let updates = try (0..<commits).map { _ in
            try commit(installs.sample(rows))
        }
        say("update", rows * commits, updates)
        let wanted = installs.sample(rows).map { installs.ids[$0] }
        let reading = try clock.measure { _ = try store.installs(wanted, history: .index) }
        say("read", wanted.count, [reading])
        for hasSummary in [false, true] {
            try LiveLoad(store: store, hasSummary: hasSummary).run(&installs, commits: 75)
        }
        for day in 0..<7 {
            for _ in 0..<20 {
                let counts = (0..<200).map { ($0, 1) }
                _ = try store.commit(
                    StoreCommit(
                        partitions: [],
                        installs: [],
                        summary: [
                            SummaryDelta.numbered(
                                StoreFixtures.key(0, nil, day: Int32(day)),
                                Dictionary(uniqueKeysWithValues: counts)
                            )
                        ]
                    )
                )
            }
        }
        func report(_ what: String) throws {
            var bytes = 0
            let duration = try clock.measure {
                try url.openReader().withSnapshot {
                    try $0.forEachSegment(funnel: 0, byValue: false, in: .all) { bytes += $2.count }
                }
            }
            print("report \(what): \(duration / .microseconds(1)) µs for \(bytes) bytes")
        }
        try report("first, beside the consumer")
        try report("beside the consumer")
        try store.close()
        try report("of a closed store")
    }
}
