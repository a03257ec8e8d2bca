import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import GRDB
import Testing

@testable import FunnelStoreSQLite

/// Updates of rows that are in the log, and not in place yet.
@Suite struct RowLogTests {
    typealias Fixtures = StoreFixtures

    private let directory: TemporaryDirectory
    private let store: SQLiteFunnelStore
    private var path: String { directory.file("funnels.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteFunnelStore(path: directory.file("funnels.sqlite"))
        _ = try store.open(Fixtures.identity())
    }

    /// A state of the usual size that begins with a number.
    private func state(_ number: Int, size: Int = 2000) -> [UInt8] {
        Fixtures.bytes("\(number) ") + (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 3) }
    }

    private func write(_ install: String, after version: Int64, _ state: [UInt8], _ previous: [UInt8]?) -> InstallWrite
    {
        InstallWrite(
            install: Fixtures.bytes(install),
            expectedVersion: version,
            previousState: previous,
            state: state
        )
    }

    @discardableResult
    private func commit(_ writes: InstallWrite..., in store: SQLiteFunnelStore? = nil) throws -> CommitOutcome {
        try (store ?? self.store).commit(StoreCommit(partitions: [], installs: writes, summary: []))
    }

    /// The number of commits in the log, and the number of rows that are in place in their newest version.
    private func counts(newestVersion: Int64) throws -> (log: Int, inPlace: Int) {
        let database = try DatabaseQueue(path: path)
        defer { try? database.close() }
        return try database.read { database in
            let log = try Int.fetchOne(database, sql: "SELECT count(*) FROM row_log") ?? -1
            let sql = "SELECT count(*) FROM installs WHERE version = ?"
            return (log, try Int.fetchOne(database, sql: sql, arguments: [newestVersion]) ?? -1)
        }
    }

    /// The files as a crash at this moment leaves them, opened again.
    private func openAfterCrash() throws -> SQLiteFunnelStore {
        let crashed = directory.file("crashed-\(UUID().uuidString).sqlite")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: crashed + suffix) }
        let store = try SQLiteFunnelStore(path: crashed)
        _ = try store.open(Fixtures.identity())
        return store
    }

    @Test func `one more event of each of a hundred installs writes one row of the log, and few bytes`() throws {
        let names = (0..<100).map { "install-\($0)" }
        try commit(writes: names.map { write($0, after: 0, state(0), []) })
        try commit(writes: names.map { write($0, after: 1, state(1), state(0)) })
        let (log, inPlace) = try counts(newestVersion: 2)
        #expect(log == 1 && inPlace == 0)
        let database = try DatabaseQueue(path: path)
        defer { try? database.close() }
        let size = try database.read { try Int.fetchOne($0, sql: "SELECT sum(length(patches)) FROM row_log") }
        #expect(try #require(size) < 100 * 20)
    }

    private func commit(writes: [InstallWrite]) throws {
        #expect(try store.commit(StoreCommit(partitions: [], installs: writes, summary: [])) == .committed)
    }

    @Test func `logged rows are read in their newest version, by the consumer and by an audit`() throws {
        try commit(write("a", after: 0, state(0), []), write("b", after: 0, state(5), []))
        try commit(write("a", after: 1, state(1), state(0)))
        try commit(write("a", after: 2, state(2), state(1)))
        let rows = [("a", 3, state(2)), ("b", 1, state(5))].map {
            StoredInstall(install: Fixtures.bytes($0.0), version: $0.1, state: $0.2)
        }
        #expect(try counts(newestVersion: 3) == (2, 0))
        #expect(try store.installs(rows.map(\.install), history: .index) == rows)
        #expect(try store.installs(after: nil, limit: RowLimit(rowCount: 10, byteCount: 8 << 20)) == rows)
        var audited: [StoredInstall] = []
        try SQLiteFunnelReader(path: path).withAudit { audit in
            try audit.forEachInstall { audited.append($0) }
        }
        #expect(Set(audited) == Set(rows))
    }

    @Test func `a crash loses no logged row, and whoever opens the store next writes it in place`() throws {
        try commit(write("a", after: 0, state(0), []))
        for number in 1...20 {
            try commit(write("a", after: Int64(number), state(number), state(number - 1)))
        }
        let opened = try openAfterCrash()
        let row = StoredInstall(install: Fixtures.bytes("a"), version: 21, state: state(20))
        #expect(try opened.installs([row.install], history: .index) == [row])
        #expect(try commit(write("a", after: 20, state(0), state(20)), in: opened) == .conflicts([row]))
        #expect(try commit(write("a", after: 21, state(0), state(20)), in: opened) == .committed)
        try opened.close()
    }

    @Test func `closing writes all rows in place`() throws {
        try commit(write("a", after: 0, state(0), []))
        try commit(write("a", after: 1, state(1), state(0)))
        try store.close()
        #expect(try counts(newestVersion: 2) == (0, 1))
    }

    @Test func `a version that a logged row does not have is a conflict, and changes nothing`() throws {
        try commit(write("a", after: 0, state(0), []), write("b", after: 0, state(0), []))
        try commit(write("a", after: 1, state(1), state(0)))
        let a = StoredInstall(install: Fixtures.bytes("a"), version: 2, state: state(1))
        let b = StoredInstall(install: Fixtures.bytes("b"), version: 1, state: state(0))
        // In the table, the row still has this version.
        #expect(try commit(write("a", after: 1, state(2), state(0))) == .conflicts([a]))
        #expect(try commit(write("b", after: 1, state(2), state(0)), write("a", after: 3, [], [])) == .conflicts([a]))
        #expect(try commit(write("b", after: 2, state(2), state(0))) == .conflicts([b]))
        #expect(try store.installs([a.install, b.install], history: .index) == [a, b])
        #expect(try openAfterCrash().installs([a.install, b.install], history: .index) == [a, b])
    }

    @Test func `more than the log has room for is written in place, with all that was logged`() throws {
        let names = (0..<40).map { "install-\($0)" }
        try commit(writes: names.map { write($0, after: 0, state(0), []) })
        try commit(write("install-0", after: 1, state(1), state(0)), write("install-1", after: 1, state(1), state(0)))
        #expect(try counts(newestVersion: 2) == (1, 0))
        // 70 MB of states.
        let large = state(2, size: 1_800_000)
        try commit(
            writes: names.dropFirst().map { name in
                name == "install-1"
                    ? write(name, after: 2, large, state(1)) : write(name, after: 1, large, state(0))
            }
        )
        #expect(try counts(newestVersion: 2).log == 0)
        #expect(try counts(newestVersion: 2).inPlace == 39)
        #expect(try counts(newestVersion: 3).inPlace == 1)
        let rows = try store.installs(names.map(Fixtures.bytes), history: .index)
        #expect(rows.filter { $0.state == large }.count == 39)
        #expect(rows.first { $0.install == Fixtures.bytes("install-0") }?.state == state(1))
        // The log is used again.
        try commit(write("install-2", after: 2, state(3), large))
        #expect(try counts(newestVersion: 3).log == 1)
    }

    @Test func `a commit of very many updates is in place`() throws {
        let names = (0..<16_385).map { "install-\($0)" }
        try commit(writes: names.map { write($0, after: 0, [1], []) })
        try commit(writes: names.dropLast().map { write($0, after: 1, [2], [1]) })
        #expect(try counts(newestVersion: 2) == (1, 0))
        try commit(
            writes: names.dropLast().map { write($0, after: 2, [3], [2]) } + [write(names[16_384], after: 1, [3], [1])]
        )
        #expect(try counts(newestVersion: 3) == (0, 16_384))
        #expect(try store.installs(names.map(Fixtures.bytes), history: .index).allSatisfy { $0.state == [3] })
    }

    @Test func `a write that does not know the state before is in place`() throws {
        try commit(write("a", after: 0, state(0), []))
        try commit(write("a", after: 1, state(1), state(0)))
        try commit(write("a", after: 2, state(2), nil))
        #expect(try counts(newestVersion: 3) == (0, 1))
    }

    @Test func `a rebuild begins with all rows in place, and the consumer forgets what it had logged`() throws {
        try commit(write("a", after: 0, state(0), []))
        try commit(write("a", after: 1, state(1), state(0)))
        let rebuilder = try SQLiteFunnelRebuilder(path: path)
        try rebuilder.rebuild { rebuild in
            try rebuild.put([StoredInstall(install: Fixtures.bytes("a"), version: 3, state: state(9))])
        }
        #expect(try counts(newestVersion: 3) == (0, 1))
        guard case .rebuilt = try commit(write("a", after: 2, state(2), state(1))) else {
            Issue.record("the commit must report the rebuild")
            return
        }
        let row = StoredInstall(install: Fixtures.bytes("a"), version: 3, state: state(9))
        #expect(try store.installs([row.install], history: .index) == [row])
        #expect(try commit(write("a", after: 3, state(4), state(9))) == .committed)
        #expect(try openAfterCrash().installs([row.install], history: .index).map(\.state) == [state(4)])
    }

    @Test func `a log that does not belong to its rows is damage, not other numbers`() throws {
        try commit(write("a", after: 0, state(0), []))
        try commit(write("a", after: 1, state(1), state(0)))
        let database = try DatabaseQueue(path: path)
        try database.write { try $0.execute(sql: "UPDATE installs SET version = 5") }
        try database.close()
        let error = #expect(throws: StoreError.self) { try openAfterCrash() }
        #expect(
            error?.code == .unusable && error?.description.contains("the log of its rows") == true,
            "\(error as Any)"
        )
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `random commits, compactions and crashes leave what a model has`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var model: [[UInt8]: StoredInstall] = [:]
        var current = store
        let installs = (0..<12).map { Fixtures.bytes("install-\($0)") }
        for _ in 0..<120 {
            var writes: [InstallWrite] = []
            for install in installs where generator.chance(40) {
                let row = model[install]
                var state = row?.state ?? []
                let start = Int.random(in: 0...state.count, using: &generator)
                let added = (0..<Int.random(in: 0...60, using: &generator)).map { _ in UInt8(generator.next() % 256) }
                state.replaceSubrange(start..<min(state.count, start + 9), with: added)
                writes.append(
                    InstallWrite(
                        install: install,
                        expectedVersion: row?.version ?? 0,
                        previousState: generator.chance(97) ? row?.state ?? [] : nil,
                        state: state
                    )
                )
            }
            if generator.chance(10) {
                writes.removeAll { $0.expectedVersion == 0 }
                try current.compact(writes)
            } else {
                let commit = StoreCommit(partitions: [], installs: writes, summary: [])
                #expect(try current.commit(commit) == .committed, "seed \(seed)")
            }
            for write in writes {
                model[write.install] = StoredInstall(
                    install: write.install,
                    version: write.expectedVersion + 1,
                    state: write.state
                )
            }
            if current === store, generator.chance(2) { current = try openAfterCrash() }
            #expect(Set(try current.installs(installs, history: .index)) == Set(model.values), "seed \(seed)")
        }
        if current === store { current = try openAfterCrash() }
        #expect(Set(try current.installs(installs, history: .index)) == Set(model.values), "seed \(seed)")
        try current.close()
    }
}
