import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

@testable import FunnelStoreSQLite

/// Commits whose rows are read and written in batches. Random ones are among the StoreModelTests.
@Suite struct BatchedCommitTests {
    typealias Fixtures = StoreFixtures

    private let directory: TemporaryDirectory
    private let store: SQLiteFunnelStore
    private let advance = Fixtures.advance(0, from: nil, to: 10)

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteFunnelStore(path: directory.file("funnels.sqlite"))
        _ = try store.open(Fixtures.identity())
    }

    private func write(_ install: String, after version: Int64, _ state: String) -> InstallWrite {
        InstallWrite(
            install: Fixtures.bytes(install),
            expectedVersion: version,
            previousState: version == 0 ? [] : Fixtures.bytes("before"),
            state: Fixtures.bytes(state)
        )
    }

    private var rest: StoreCommit { StoreCommit(partitions: [advance], installs: [], summary: []) }

    private func states() throws -> [String: String] {
        let rows = try store.installs(["a", "b", "c"].map(Fixtures.bytes))
        return Dictionary(
            uniqueKeysWithValues: rows.map {
                (String(decoding: $0.install, as: UTF8.self), String(decoding: $0.state, as: UTF8.self))
            }
        )
    }

    /// Leaves the newest version of "a" in the log of rows.
    private func logRow() throws {
        for write in [write("a", after: 0, "before"), write("a", after: 1, "logged")] {
            let commit = StoreCommit(partitions: [], installs: [write], summary: [])
            #expect(try store.commit(commit) == .committed)
        }
    }

    @Test func `a batch reads what the log and the batches before have written`() throws {
        try logRow()
        let outcome = try store.commit(moving: [advance]) { rows in
            #expect(try rows.installs([Fixtures.bytes("a")], history: .index).map(\.version) == [2])
            #expect(try rows.write([write("a", after: 2, "first"), write("b", after: 0, "first")]))
            let found = try rows.installs(["a", "b", "c"].map(Fixtures.bytes), history: .all)
            #expect(Set(found.map(\.state)) == [Fixtures.bytes("first")] && found.count == 2)
            #expect(try rows.write([write("b", after: 1, "second"), write("c", after: 0, "second")]))
            return rest
        }
        #expect(outcome == .committed)
        #expect(try states() == ["a": "first", "b": "second", "c": "second"])
        #expect(try store.progress().map(\.nextOffset) == [10])
    }

    @Test func `a row of another version undoes all batches, and the log keeps its rows`() throws {
        try logRow()
        for wrong in [write("a", after: 1, "x"), write("b", after: 3, "x"), write("a", after: 0, "x")] {
            let outcome = try store.commit(moving: [advance]) { rows in
                #expect(try rows.write([write("c", after: 0, "x")]))
                return try rows.write([wrong]) ? rest : nil
            }
            #expect(outcome == .conflicts([]))
        }
        #expect(try states() == ["a": "logged"])
        #expect(try store.progress().isEmpty)
    }

    @Test func `an error of the caller undoes all batches and comes through`() throws {
        struct OwnError: Error {}
        try logRow()
        #expect(throws: OwnError.self) {
            try store.commit(moving: [advance]) { rows in
                #expect(try rows.write([write("a", after: 2, "x"), write("b", after: 0, "x")]))
                throw OwnError()
            }
        }
        #expect(try states() == ["a": "logged"])
        let commit = StoreCommit(partitions: [advance], installs: [write("a", after: 2, "next")], summary: [])
        #expect(try store.commit(commit) == .committed)
        #expect(try states() == ["a": "next"])
    }

    @Test func `where another consumer has moved a partition, no row is read or written`() throws {
        #expect(try store.commit(rest) == .committed)
        let outcome = try store.commit(moving: [advance]) { _ in
            Issue.record("the caller works for nothing")
            return nil
        }
        guard case .fenced(let progress) = outcome else { return #expect(outcome == .fenced([])) }
        #expect(progress.map(\.nextOffset) == [10])
    }
}
