import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

/// Random valid and invalid commits, compared with a simple model.
@Suite struct StoreModelTests {
    /// The expected contents of the store, as plain sums.
    struct Model {
        var offsets: [Int32: Int64] = [:]
        var events: Int64 = 0
        var rows: [[UInt8]: StoredInstall] = [:]
        var sums: [SummaryKey: [Int: Int]] = [:]

        mutating func apply(_ commit: StoreCommit) -> Bool {
            for advance in commit.partitions where offsets[advance.partition] != advance.expectedOffset { return false }
            for write in commit.installs where (rows[write.install]?.version ?? 0) != write.expectedVersion {
                return false
            }
            for advance in commit.partitions {
                offsets[advance.partition] = advance.nextOffset
                events += advance.quality.events
            }
            for write in commit.installs {
                var history = Dictionary(
                    uniqueKeysWithValues: (rows[write.install]?.history ?? []).map { ($0.number, $0.state) }
                )
                for row in write.history { history[row.number] = row.state.isEmpty ? nil : row.state }
                rows[write.install] = StoredInstall(
                    install: write.install,
                    version: write.expectedVersion + 1,
                    state: write.state,
                    history: history.sorted { $0.key < $1.key }.map { HistoryRow(number: $0.key, state: $0.value) }
                )
            }
            for delta in commit.summary {
                sums[delta.key, default: [:]].merge(CountedSegment.decoded(delta.segment), uniquingKeysWith: +)
            }
            return true
        }
    }

    /// Commits in batches of two rows.
    private func inBatches(_ commit: StoreCommit, to store: any BatchedStore) throws -> CommitOutcome {
        try store.commit(moving: commit.partitions) { rows in
            for start in stride(from: 0, to: commit.installs.count, by: 2) {
                let batch = Array(commit.installs[start..<min(start + 2, commit.installs.count)])
                guard try rows.write(batch) else { return nil }
            }
            var rest = commit
            rest.installs = []
            return rest
        }
    }

    @Test(arguments: StoreUnderTest.all, [1, 2, 3] as [UInt64])
    func `random commits have the same result as the sum of the valid ones`(kind: StoreUnderTest, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let open = try OpenStore(kind)
        var model = Model()
        var committed = 0
        for number in 0..<150 {
            let commit = randomCommit(&generator, model)
            let isRight = model.apply(commit)
            committed += isRight ? 1 : 0
            let outcome: CommitOutcome
            if number.isMultiple(of: 3), let store = open.store as? any BatchedStore {
                outcome = try inBatches(commit, to: store)
            } else {
                outcome = try open.store.commit(commit)
            }
            #expect((outcome == .committed) == isRight, "seed \(seed)")
        }
        #expect((20..<150).contains(committed), "seed \(seed): the test tries both right and wrong commits")
        let progress = try open.store.progress().map { ($0.partition, $0.nextOffset) }
        #expect(Dictionary(uniqueKeysWithValues: progress) == model.offsets, "seed \(seed)")
        #expect(Set(try open.store.installs(installs)) == Set(model.rows.values), "seed \(seed)")
        let indices = model.rows.values.map { row in
            var row = row
            row.history.removeAll { $0.number > 0 }
            return row
        }
        #expect(Set(try open.store.installs(installs, history: .index)) == Set(indices), "seed \(seed)")
        try open.reader.withSnapshot { source throws in
            #expect(try source.quality().events == model.events, "seed \(seed)")
            var sums: [SummaryKey: [Int: Int]] = [:]
            for funnel in 0..<2 {
                for byValue in [false, true] {
                    sums.merge(try source.counts(funnel: funnel, byValue: byValue), uniquingKeysWith: { $1 })
                }
            }
            let expected = model.sums.mapValues { $0.filter { $0.value != 0 } }.filter { !$0.value.isEmpty }
            #expect(sums == expected, "seed \(seed)")
        }
    }

    private let installs = (0..<40).map { StoreFixtures.bytes("install-with-a-long-name-\($0)") }

    private func randomCommit(_ generator: inout SeededGenerator, _ model: Model) -> StoreCommit {
        var commit = StoreCommit(partitions: [], installs: [], summary: [])
        for partition in 0..<3 as Range<Int32> where generator.chance(40) {
            var standing = model.offsets[partition]
            if generator.chance(5) { standing = (standing ?? 0) + 1 }
            commit.partitions.append(
                StoreFixtures.advance(
                    partition,
                    from: standing,
                    to: (standing ?? 0) + 3,
                    quality: Quality(events: 3)
                )
            )
        }
        for install in installs where generator.chance(20) {
            var version = model.rows[install]?.version ?? 0
            if generator.chance(3) { version += generator.chance(50) ? 1 : max(-1, -version) }
            let byte = UInt8.random(in: 0...255, using: &generator)
            let state = [UInt8](repeating: byte, count: Int.random(in: 0...3000, using: &generator))
            var write = InstallWrite(install: install, expectedVersion: version, state: state)
            if generator.chance(80) { write.previousState = model.rows[install]?.state ?? [] }
            for number in -2...5 as ClosedRange<Int64> where generator.chance(20) {
                let size = generator.chance(30) ? 0 : Int.random(in: 1...3000, using: &generator)
                write.history.append(HistoryRow(number: number, state: Array(repeating: byte, count: size)))
            }
            commit.installs.append(write)
        }
        for funnel in 0..<2 {
            for value in [nil, "", "ios"] where generator.chance(30) {
                let day = Int32.random(in: -1...1, using: &generator)
                let numbers = (0..<5).map { _ in Int.random(in: 0..<30, using: &generator) }
                let counts = Dictionary(numbers.map { ($0, generator.chance(50) ? 1 : -1) }, uniquingKeysWith: { $1 })
                commit.summary.append(
                    SummaryDelta.numbered(StoreFixtures.key(funnel, value, day: day), counts)
                )
            }
        }
        return commit
    }
}
