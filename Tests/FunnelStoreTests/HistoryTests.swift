import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

/// The history that a store keeps of each install beside its row.
@Suite struct HistoryTests {
    typealias Fixtures = StoreFixtures

    private static let long = String(repeating: "long", count: 200)

    private func write(_ install: String, after version: Int64, _ history: [Int64: String]) -> InstallWrite {
        InstallWrite(
            install: Fixtures.bytes(install),
            expectedVersion: version,
            state: Fixtures.bytes("recent"),
            history: rows(history)
        )
    }

    private func row(_ install: String, _ version: Int64, _ history: [Int64: String]) -> StoredInstall {
        StoredInstall(
            install: Fixtures.bytes(install),
            version: version,
            state: Fixtures.bytes("recent"),
            history: rows(history)
        )
    }

    private func rows(_ history: [Int64: String]) -> [HistoryRow] {
        history.sorted { $0.key < $1.key }.map { HistoryRow(number: $0.key, state: Fixtures.bytes($0.value)) }
    }

    /// A store with two installs that have a history, of which one has a long id, and one that has none.
    private func filled(_ kind: StoreUnderTest) throws -> OpenStore {
        let open = try OpenStore(kind)
        let outcome = try open.commit(
            [],
            [
                write("a", after: 0, [-1: "filter", 0: "index", 1: "block", 2: "later block"]),
                write(Self.long, after: 0, [0: "index", 7: "block"]), write("none", after: 0, [:]),
            ]
        )
        #expect(outcome == .committed)
        return open
    }

    @Test(arguments: StoreUnderTest.all)
    func `a row is read with the index of its history, or with all of its history`(kind: StoreUnderTest) throws {
        let open = try filled(kind)
        let installs = ["a", Self.long, "none", "unknown"].map(Fixtures.bytes)
        #expect(
            try Set(open.store.installs(installs, history: .index)) == [
                row("a", 1, [-1: "filter", 0: "index"]), row(Self.long, 1, [0: "index"]), row("none", 1, [:]),
            ]
        )
        #expect(
            try Set(open.store.installs(installs, history: .all)) == [
                row("a", 1, [-1: "filter", 0: "index", 1: "block", 2: "later block"]),
                row(Self.long, 1, [0: "index", 7: "block"]), row("none", 1, [:]),
            ]
        )
    }

    @Test(arguments: StoreUnderTest.all)
    func `a write replaces, adds and deletes the rows that it names, and no other`(kind: StoreUnderTest) throws {
        let open = try filled(kind)
        let outcome = try open.commit(
            [],
            [
                write("a", after: 1, [-1: "", 0: "new index", 2: "", 3: "new block", 9: ""]),
                write(Self.long, after: 1, [7: "new block"]),
            ]
        )
        #expect(outcome == .committed)
        #expect(
            try Set(open.store.installs(["a", Self.long].map(Fixtures.bytes), history: .all)) == [
                row("a", 2, [0: "new index", 1: "block", 3: "new block"]),
                row(Self.long, 2, [0: "index", 7: "new block"]),
            ]
        )
    }

    @Test(arguments: StoreUnderTest.all)
    func `a conflict has the indices, and leaves every history as it was`(kind: StoreUnderTest) throws {
        let open = try filled(kind)
        let outcome = try open.commit(
            [],
            [
                write("a", after: 3, [0: "mine"]), write(Self.long, after: 0, [0: "mine"]),
                write("none", after: 1, [1: "mine"]), write("never", after: 1, [1: "mine"]),
            ]
        )
        guard case .conflicts(let conflicts) = outcome else { throw StoreTestFailure("\(outcome)") }
        #expect(
            Set(conflicts) == [
                row("a", 1, [-1: "filter", 0: "index"]), row(Self.long, 1, [0: "index"]),
                .none(Fixtures.bytes("never")),
            ]
        )
        let none = try open.store.installs(["none", "never"].map(Fixtures.bytes), history: .all)
        #expect(none == [row("none", 1, [:])])
    }

    @Test(arguments: StoreUnderTest.all)
    func `rows in batches have their indices, and are read again with all of their history`(
        kind: StoreUnderTest
    ) throws {
        let open = try filled(kind)
        var rows: [StoredInstall] = []
        while true {
            let batch = try open.store.installs(
                after: rows.last?.install,
                limit: RowLimit(rowCount: 2, byteCount: 8 << 20)
            )
            rows += batch
            if batch.count < 2 { break }
        }
        #expect(rows.map(\.history.count).sorted() == [0, 1, 2])
        try open.commit([], [write("a", after: 1, [0: "new index"])])
        let gone = StoredInstall(install: Fixtures.bytes("gone"), version: 1, state: [])
        let read = try open.store.withHistory(rows + [gone], limit: .none)
        // The first has some 40 bytes.
        for (bytes, count) in [(1, 1), (60, 2)] {
            let limit = RowLimit(rowCount: 10, byteCount: bytes)
            #expect(try open.store.withHistory(rows, limit: limit) == Array(read.prefix(count)))
        }
        #expect(try open.store.withHistory(rows, limit: RowLimit(rowCount: 2, byteCount: .max)).count == 2)
        #expect(Set(read.map(\.install)) == Set(rows.map(\.install)))
        let a = try #require(read.first { $0.install == Fixtures.bytes("a") })
        #expect(a == row("a", 2, [-1: "filter", 0: "new index", 1: "block", 2: "later block"]))
        #expect(read.map(\.history.count).sorted() == [0, 2, 4])
    }

    @Test(arguments: StoreUnderTest.all)
    func `compaction writes the history of the rows that it writes`(kind: StoreUnderTest) throws {
        let open = try filled(kind)
        let rows = try open.store.installs(after: nil, limit: RowLimit(rowCount: 10, byteCount: 8 << 20))
        try open.commit([], [write("a", after: 1, [:])])
        try open.store.compact(
            rows.map {
                InstallWrite(
                    install: $0.install,
                    expectedVersion: $0.version,
                    state: Fixtures.bytes("recent"),
                    history: self.rows([0: "smaller", 7: ""])
                )
            }
        )
        #expect(
            try Set(open.store.installs(["a", Self.long, "none"].map(Fixtures.bytes), history: .all)) == [
                row("a", 2, [-1: "filter", 0: "index", 1: "block", 2: "later block"]),
                row(Self.long, 2, [0: "smaller"]), row("none", 2, [0: "smaller"]),
            ]
        )
    }

    @Test(arguments: StoreUnderTest.all)
    func `an audit and a rebuild have all of the history, and a rebuild replaces it`(kind: StoreUnderTest) throws {
        let open = try filled(kind)
        let all: Set = [
            row("a", 1, [-1: "filter", 0: "index", 1: "block", 2: "later block"]),
            row(Self.long, 1, [0: "index", 7: "block"]), row("none", 1, [:]),
        ]
        var audited: [StoredInstall] = []
        try open.reader.withAudit { audit throws in
            try audit.forEachInstall { audited.append($0) }
        }
        #expect(audited.count == 3 && Set(audited) == all)
        let rebuilt = try open.rebuilder.rebuild { store in
            var rows = try store.rows(after: nil, limit: RowLimit(rowCount: 2, byteCount: 8 << 20))
            rows += try store.rows(after: rows.last?.install, limit: RowLimit(rowCount: 2, byteCount: 8 << 20))
            try store.put([
                self.row("a", 2, [5: "counted again"]),
                StoredInstall(install: Fixtures.bytes(Self.long), version: 2, state: Fixtures.bytes("recent")),
                self.row("new", 1, [0: "index", 1: "block"]),
            ])
            return rows
        }
        #expect(Set(rebuilt.map(\.history)) == Set(all.map(\.history)))
        let installs = ["a", Self.long, "none", "new"].map(Fixtures.bytes)
        #expect(
            try Set(open.store.installs(installs, history: .all)) == [
                row("a", 2, [5: "counted again"]), row(Self.long, 2, [:]), row("none", 1, [:]),
                row("new", 1, [0: "index", 1: "block"]),
            ]
        )
    }
}
