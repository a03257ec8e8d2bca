import FlowEventTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import FunnelPostgresTestSupport
import Synchronization
import Testing

/// The sum of what all clients of a test have committed.
final class CountedTotals: Sendable {
    struct Sums: Equatable {
        var offsets: [Int32: Int64] = [:]
        var events: Int64 = 0
        var writes: [[UInt8]: Int64] = [:]
        var summary: [SummaryKey: [Int: Int]] = [:]
        var commits = 0
    }

    private let sums = Mutex(Sums())

    var value: Sums { sums.withLock { $0 } }

    func add(_ commit: StoreCommit) {
        sums.withLock { sums in
            sums.commits += 1
            for advance in commit.partitions {
                sums.offsets[advance.partition, default: 0] += advance.nextOffset - (advance.expectedOffset ?? 0)
                sums.events += advance.quality.events
            }
            for write in commit.installs { sums.writes[write.install, default: 0] += 1 }
            for delta in commit.summary {
                sums.summary[delta.key, default: [:]].merge(CountedSegment.decoded(delta.segment), uniquingKeysWith: +)
            }
        }
    }
}

/// Commits random changes as a consumer does: based on what it knows, and again based on the store's answer.
struct CountingClient {
    static let partitions: Range<Int32> = 0..<4
    static let installs = (0..<30).map { StoreFixtures.bytes("install-\($0)") }

    private let store: any FunnelStore
    private let totals: CountedTotals
    private var generator: SeededGenerator
    private var offsets: [Int32: Int64] = [:]
    private var versions: [[UInt8]: Int64] = [:]

    init(_ store: any FunnelStore, _ totals: CountedTotals, seed: UInt64) {
        self.store = store
        self.totals = totals
        generator = SeededGenerator(seed: seed)
    }

    /// Commits a number of random changes. It repeats each until the store has committed it.
    mutating func commit(times: Int) throws {
        for _ in 0..<times {
            let partitions = Self.partitions.filter { _ in generator.chance(30) }
            let installs = Self.installs.filter { _ in generator.chance(20) }.shuffled(using: &generator)
            let summary = randomSummary()
            while true {
                let commit = StoreCommit(
                    partitions: partitions.map { partition in
                        let offset = offsets[partition]
                        return StoreFixtures.advance(
                            partition,
                            from: offset,
                            to: (offset ?? 0) + 2,
                            quality: Quality(events: 2)
                        )
                    },
                    installs: installs.map {
                        InstallWrite(
                            install: $0,
                            expectedVersion: versions[$0] ?? 0,
                            state: Array("state".utf8),
                            // A number of its own, so that every write that counts is seen.
                            history: [
                                HistoryRow(number: .random(in: .min ... .max, using: &generator), state: [1])
                            ]
                        )
                    },
                    summary: summary
                )
                switch try store.commit(commit) {
                case .committed:
                    totals.add(commit)
                    for advance in commit.partitions { offsets[advance.partition] = advance.nextOffset }
                    for write in commit.installs { versions[write.install] = write.expectedVersion + 1 }
                case .fenced(let progress):
                    for partition in progress { offsets[partition.partition] = partition.nextOffset }
                    continue
                case .conflicts(let rows):
                    for row in rows { versions[row.install] = row.version }
                    continue
                case .rebuilt(let rebuilt):
                    for partition in rebuilt.progress { offsets[partition.partition] = partition.nextOffset }
                    continue
                }
                break
            }
        }
    }

    private mutating func randomSummary() -> [SummaryDelta] {
        [nil, "", "ios"].map { value in
            let number = Int.random(in: 0..<50, using: &generator)
            let counts = [number: generator.chance(70) ? 1 : -1]
            return SummaryDelta.numbered(StoreFixtures.key(0, value, day: 1), counts)
        }
    }
}

/// Checks that the store has exactly what was committed.
///
/// - Parameter isCompacted: whether rows were also compacted, which increments their versions.
func expectTotals(
    _ totals: CountedTotals.Sums,
    in store: any FunnelStore,
    _ reader: any FunnelReading,
    isCompacted: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let progress = try store.progress()
    let offsets = Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, $0.nextOffset) })
    #expect(offsets == totals.offsets, sourceLocation: sourceLocation)
    let rows = try store.installs(CountingClient.installs)
    let versions = Dictionary(uniqueKeysWithValues: rows.map { ($0.install, $0.version) })
    if isCompacted {
        #expect(versions.keys == totals.writes.keys, sourceLocation: sourceLocation)
        #expect(versions.allSatisfy { $1 > totals.writes[$0] ?? 0 }, sourceLocation: sourceLocation)
    } else {
        #expect(versions == totals.writes, sourceLocation: sourceLocation)
    }
    let histories = Dictionary(uniqueKeysWithValues: rows.map { ($0.install, Int64($0.history.count)) })
    #expect(histories == totals.writes, sourceLocation: sourceLocation)
    try reader.withSnapshot { source throws in
        #expect(try source.quality().events == totals.events, sourceLocation: sourceLocation)
        let counts = try source.counts(funnel: 0, byValue: false)
            .merging(try source.counts(funnel: 0, byValue: true), uniquingKeysWith: { $1 })
        let expected = totals.summary.mapValues { $0.filter { $0.value != 0 } }.filter { !$0.value.isEmpty }
        #expect(counts == expected, sourceLocation: sourceLocation)
    }
}
