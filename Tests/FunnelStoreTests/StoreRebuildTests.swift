import FlowEvents
import Foundation
import FunnelStore
import FunnelStoreSQLite
import FunnelStoreTestSupport
import Funnels
import Synchronization
import Testing

@Suite struct StoreRebuildTests {
    typealias Fixtures = StoreFixtures

    private static func segment(_ funnel: Int, _ value: String?, day: Int32, _ counts: [Int: Int]) -> SummaryDelta {
        SummaryDelta.numbered(Fixtures.key(funnel, value, day: day), counts)
    }

    /// A store of the funnels first and second, with an install and a summary of each.
    private func filled(_ kind: StoreUnderTest) throws -> OpenStore {
        let open = try OpenStore(kind)
        let outcome = try open.commit(
            [Fixtures.advance(0, from: nil, to: 7, quality: Quality(events: 7, duplicates: 2))],
            [Fixtures.write("a", after: 0, "old"), Fixtures.write("b", after: 0, "old")],
            [
                Self.segment(0, nil, day: 1, [1: 1]), Self.segment(0, "ios", day: 1, [1: 1]),
                Self.segment(1, nil, day: 2, [2: 1]),
            ]
        )
        #expect(outcome == .committed)
        return open
    }

    @Test(arguments: StoreUnderTest.all)
    func `all that a rebuild writes is there afterward`(kind: StoreUnderTest) throws {
        let open = try filled(kind)
        let funnels = try [Fixtures.funnel("new"), Fixtures.funnel("first")]
        let before = try open.rebuilder.rebuild { store in
            try store.put([Fixtures.row("a", 2, "new"), Fixtures.row("c", 1, "new")])
            try store.moveSummary([0: 1])
            try store.add([Self.segment(0, nil, day: 3, [4: 1])])
            try store.setDuplicates([0: 5])
            let before = try (store.identity(), store.progress())
            try store.setFunnels(funnels, counted: ["new"], completeFrom: Day(number: 3))
            return before
        }
        #expect(try before.0 == Fixtures.identity() && before.1.map(\.nextOffset) == [7])
        #expect(try open.rebuilder.identity() == Fixtures.identity(funnels: funnels))
        #expect(try open.rebuilder.progress().first?.quality == Quality(events: 7, duplicates: 5))
        #expect(
            Set(try open.store.installs(["a", "b", "c"].map(Fixtures.bytes))) == [
                Fixtures.row("a", 2, "new"), Fixtures.row("b", 1, "old"), Fixtures.row("c", 1, "new"),
            ]
        )
        try open.reader.withSnapshot { source throws in
            #expect(try source.counts(funnel: 0, byValue: false) == [Fixtures.key(0, nil, day: 3): [4: 1]])
            #expect(try source.counts(funnel: 0, byValue: true).isEmpty)
            #expect(try source.counts(funnel: 1, byValue: false) == [Fixtures.key(1, nil, day: 1): [1: 1]])
            #expect(try source.counts(funnel: 1, byValue: true) == [Fixtures.key(1, "ios", day: 1): [1: 1]])
            #expect(try source.firstCompleteDay(of: "new") == Day(number: 3))
            #expect(try source.firstCompleteDay(of: "first") == nil)
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func `a consumer that knows the old funnels changes nothing, and learns the new ones`(kind: StoreUnderTest) throws {
        let open = try filled(kind)
        let funnels = try [Fixtures.funnel("first", minutes: 45), Fixtures.funnel("second")]
        try open.rebuilder.rebuild { try $0.setFunnels(funnels, counted: ["first"], completeFrom: nil) }
        let advance = Fixtures.advance(0, from: 7, to: 9, quality: Quality(events: 2))
        let delta = Self.segment(0, nil, day: 1, [1: 1])
        let outcome = try open.commit([advance], [Fixtures.write("a", after: 1, "mixed")], [delta])
        let standing = try open.store.progress()
        #expect(
            outcome
                == .rebuilt(
                    RebuiltFunnels(identity: try Fixtures.identity(funnels: funnels), progress: standing)
                )
        )
        #expect(standing.map(\.nextOffset) == [7])
        #expect(try open.store.installs([Fixtures.bytes("a")]) == [Fixtures.row("a", 1, "old")])
        // The consumer knows them now.
        #expect(try open.commit([advance], [Fixtures.write("a", after: 1, "new")], [delta]) == .committed)
        #expect(try open.store.open(Fixtures.identity(funnels: funnels)).map(\.nextOffset) == [9])
        #expect(throws: StoreError.self) { try open.store.open(Fixtures.identity()) }
    }

    @Test(arguments: StoreUnderTest.all)
    func `a consumer that asks is given the new funnels once`(kind: StoreUnderTest) throws {
        let open = try filled(kind)
        #expect(try open.store.takeRebuiltFunnels() == nil)
        let funnels = try [Fixtures.funnel("first", minutes: 45), Fixtures.funnel("second")]
        try open.rebuilder.rebuild { try $0.setFunnels(funnels, counted: ["first"], completeFrom: nil) }
        let rebuilt = try #require(try open.store.takeRebuiltFunnels())
        #expect(try rebuilt.identity == Fixtures.identity(funnels: funnels))
        #expect(rebuilt.progress.map(\.nextOffset) == [7])
        #expect(try open.store.takeRebuiltFunnels() == nil)
        #expect(try open.commit([Fixtures.advance(0, from: 7, to: 9)]) == .committed)
    }

    @Test(arguments: StoreUnderTest.all)
    func `a reader of the old funnels reports nothing, and has the new ones for the next time`(
        kind: StoreUnderTest
    ) throws {
        let open = try filled(kind)
        let reader = try open.reader
        let audited = try open.reader
        let funnels = try [Fixtures.funnel("second"), Fixtures.funnel("first", minutes: 45)]
        try open.rebuilder.rebuild { store in
            try store.moveSummary([1: 0])
            try store.setFunnels(funnels, counted: ["first"], completeFrom: nil)
        }
        #expect(try reader.funnels == Fixtures.identity().funnels)
        let error = #expect(throws: StoreError.self) { try reader.withSnapshot { _ in Issue.record("mixed") } }
        #expect(error?.code == .unavailable && error?.message.contains("try again") == true)
        #expect(reader.funnels == funnels)
        #expect(try reader.withSnapshot { try $0.counts(funnel: 0, byValue: false).keys.map(\.day.number) } == [2])
        #expect(throws: StoreError.self) { try audited.withAudit { _ in Issue.record("mixed") } }
        #expect(try audited.withAudit { try $0.identity()?.funnels } == funnels)
    }

    @Test(arguments: StoreUnderTest.all)
    func `a rebuild that fails changes nothing`(kind: StoreUnderTest) throws {
        let open = try filled(kind)
        #expect(throws: StoreTestFailure.self) {
            try open.rebuilder.rebuild { store in
                try store.put([Fixtures.row("a", 2, "new")])
                try store.moveSummary([:])
                try store.setDuplicates([0: 5])
                try store.setFunnels([Fixtures.funnel("new")], counted: ["new"], completeFrom: Day(number: 3))
                throw StoreTestFailure("in the middle")
            }
        }
        #expect(try open.rebuilder.identity() == Fixtures.identity())
        #expect(try open.store.progress().first?.quality.duplicates == 2)
        #expect(try open.store.installs([Fixtures.bytes("a")]) == [Fixtures.row("a", 1, "old")])
        #expect(try open.reader.withSnapshot { try $0.counts(funnel: 1, byValue: false).count } == 1)
        #expect(try open.commit([Fixtures.advance(0, from: 7, to: 8)]) == .committed)
    }

    @Test(arguments: StoreUnderTest.all)
    func `rows come in batches, each once, whatever their ids`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let long = String(repeating: "x", count: EventRules.maximumTextSize - 1)
        let installs = ["", "a", "b", long, long + "y"] + (0..<20).map { "install-\($0)" }
        try open.commit([], installs.map { Fixtures.write($0, after: 0, $0 + "!") })
        let rows = try open.rebuilder.rebuild { store in
            var rows: [StoredInstall] = []
            while true {
                let more = try store.rows(after: rows.last?.install, limit: RowLimit(rowCount: 4, byteCount: 8 << 20))
                if more.isEmpty { break }
                rows += more
            }
            return rows
        }
        #expect(rows == installs.sorted().map { Fixtures.row($0, 1, $0 + "!") })
    }

    @Test(arguments: StoreUnderTest.all)
    func `indices change all at once, and a first day is removed with a whole count`(kind: StoreUnderTest) throws {
        let open = try filled(kind)
        let funnels = try [Fixtures.funnel("second"), Fixtures.funnel("first")]
        try open.rebuilder.rebuild { store in
            try store.moveSummary([0: 1, 1: 0])
            try store.setFunnels(funnels, counted: ["first", "second"], completeFrom: Day(number: 4))
        }
        try open.reader.withSnapshot { source throws in
            #expect(try source.counts(funnel: 0, byValue: false).keys.map(\.day.number) == [2])
            #expect(try source.counts(funnel: 1, byValue: false).keys.map(\.day.number) == [1])
        }
        try open.rebuilder.rebuild { store in
            try store.moveSummary([0: 0, 1: 1])
            try store.setFunnels(funnels, counted: ["first"], completeFrom: nil)
        }
        // Opening the store again changes no first day.
        let described = try [Fixtures.funnel("second", description: "said anew"), Fixtures.funnel("first")]
        _ = try open.store.open(Fixtures.identity(funnels: described))
        try open.reader.withSnapshot { source throws in
            #expect(try source.firstCompleteDay(of: "first") == nil)
            #expect(try source.firstCompleteDay(of: "second") == Day(number: 4))
        }
        try open.rebuilder.rebuild { store in
            try store.moveSummary([1: 0])
            try store.setFunnels([funnels[1]], counted: [], completeFrom: nil)
        }
        #expect(try open.reader.withSnapshot { try $0.firstCompleteDay(of: "second") } == nil)
        #expect(try open.reader.withSnapshot { try $0.counts(funnel: 0, byValue: false).keys.map(\.day.number) } == [1])
    }

    @Test(arguments: StoreUnderTest.all)
    func `a commit that comes in the middle waits and learns the new funnels`(kind: StoreUnderTest) async throws {
        let open = try filled(kind)
        let (store, rebuilder) = (open.store, open.rebuilder)
        let advance = Fixtures.advance(0, from: 7, to: 9)
        let isCommitting = Atomic(false)
        let outcome = Mutex<Result<CommitOutcome, any Error>?>(nil)
        let funnels = try [Fixtures.funnel("first", minutes: 45), Fixtures.funnel("second")]
        let isDone = DispatchSemaphore(value: 0)
        try rebuilder.rebuild { rebuild in
            try rebuild.setFunnels(funnels, counted: ["first"], completeFrom: nil)
            Thread.detachNewThread {
                isCommitting.store(true, ordering: .sequentiallyConsistent)
                let result = Result {
                    try store.commit(StoreCommit(partitions: [advance], installs: [], summary: []))
                }
                outcome.withLock { $0 = result }
                isDone.signal()
            }
            // Nothing can be committed while this runs. The thread gets some time to try.
            let end = ContinuousClock.now + .milliseconds(300)
            while ContinuousClock.now < end || !isCommitting.load(ordering: .sequentiallyConsistent) {
                Thread.sleep(forTimeInterval: 0.01)
            }
            #expect(outcome.withLock { $0 == nil })
        }
        isDone.wait()
        guard case .rebuilt(let rebuilt) = try #require(outcome.withLock { $0 }).get() else {
            throw StoreTestFailure("the outcome is another one")
        }
        #expect(rebuilt.identity.funnels == funnels)
    }
}
