import FlowEventTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

@Suite struct StoreCompactionTests {
    typealias Fixtures = StoreFixtures

    @Test(arguments: StoreUnderTest.all, [1, 3, 7, 100])
    func `reading all rows in batches returns each once, in the order of the bytes`(
        kind: StoreUnderTest,
        limit: Int
    ) throws {
        let open = try OpenStore(kind)
        let names = (0..<20).map { "install-\($0)" } + ["", String(repeating: "long", count: 200)]
        try open.commit([], names.map { Fixtures.write($0, after: 0, "state of \($0)") })
        var read: [StoredInstall] = []
        while true {
            let rows = try open.store.installs(
                after: read.last?.install,
                limit: RowLimit(rowCount: limit, byteCount: .max)
            )
            #expect(rows.count <= limit)
            if rows.isEmpty { break }
            read += rows
        }
        #expect(read == names.sorted().map { Fixtures.row($0, 1, "state of \($0)") })
    }

    @Test(arguments: StoreUnderTest.all)
    func `a batch ends where its bytes reach the limit, histories included, and has one row at least`(
        kind: StoreUnderTest
    ) throws {
        let open = try OpenStore(kind)
        // The first is large by its state, the third by its history.
        let sizes = [(5_000, 0), (100, 0), (100, 5_000), (100, 0), (100, 0)]
        try open.commit(
            [],
            sizes.enumerated().map { number, size in
                InstallWrite(
                    install: Fixtures.bytes("\(number)"),
                    expectedVersion: 0,
                    state: Array(repeating: 1, count: size.0),
                    history: size.1 == 0 ? [] : [HistoryRow(number: 1, state: Array(repeating: 2, count: size.1))]
                )
            }
        )
        let batches = try open.reader.withAudit { audit in
            var batches: [[StoredInstall]] = []
            while true {
                let limit = RowLimit(rowCount: 10, byteCount: 1_000)
                let rows = try audit.rows(after: batches.last?.last?.install, limit: limit)
                if rows.isEmpty { return batches }
                batches.append(rows)
            }
        }
        #expect(batches.map(\.count) == [1, 2, 2])
        #expect(batches.joined().map(\.history.count) == [0, 0, 1, 0, 0])
    }

    @Test(arguments: StoreUnderTest.all)
    func `a compacted row has the next version, so that a consumer with the old row conflicts`(
        kind: StoreUnderTest
    ) throws {
        let open = try OpenStore(kind)
        let long = String(repeating: "long", count: 200)
        try open.commit([], [Fixtures.write("a", after: 0, "much"), Fixtures.write(long, after: 0, "much")])
        let smaller = try open.store.installs(after: nil, limit: RowLimit(rowCount: 10, byteCount: 8 << 20)).map {
            row in
            InstallWrite(install: row.install, expectedVersion: row.version, state: Fixtures.bytes("less"))
        }
        try open.store.compact(smaller)
        let rows = [Fixtures.row("a", 2, "less"), Fixtures.row(long, 2, "less")]
        #expect(try Set(open.rows("a", long)) == Set(rows))
        #expect(try open.commit([], [Fixtures.write("a", after: 1, "more")]) == .conflicts([rows[0]]))
        #expect(try open.commit([], [Fixtures.write("a", after: 2, "more")]) == .committed)
        #expect(try open.rows("a") == [Fixtures.row("a", 3, "more")])
    }

    @Test(arguments: StoreUnderTest.all)
    func `a row that was written since, or is not there, is left as it is`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        for version in 0..<2 as Range<Int64> { try open.commit([], [Fixtures.write("a", after: version, "new")]) }
        try open.commit([], [Fixtures.write("b", after: 0, "much")])
        try open.store.compact(["a", "b", "c"].map { Fixtures.write($0, after: 1, "less") })
        try open.store.compact([])
        #expect(try Set(open.rows("a", "b", "c")) == [Fixtures.row("a", 2, "new"), Fixtures.row("b", 2, "less")])
    }

    @Test(arguments: StoreUnderTest.all)
    func `capped installs add up over commits and partitions`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        try open.commit([
            Fixtures.advance(0, from: nil, to: 1, quality: Quality(capped: 1)),
            Fixtures.advance(1, from: nil, to: 1, quality: Quality(capped: 3)),
        ])
        try open.commit([Fixtures.advance(0, from: 1, to: 2, quality: Quality(events: 1, capped: 1))])
        #expect(try open.store.progress().map(\.quality.capped).sorted() == [2, 3])
        #expect(try open.reader.withSnapshot { try $0.quality() } == Quality(events: 1, capped: 5))
    }
}

extension OpenStore {
    fileprivate func rows(_ installs: String...) throws -> [StoredInstall] {
        try store.installs(installs.map(StoreFixtures.bytes))
    }
}
