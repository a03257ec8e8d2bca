import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

@testable import FunnelStoreSQLite

@Suite struct SQLiteScratchStoreTests {
    private let directory: TemporaryDirectory
    private var location: ScratchLocation { .beside(directory.file("funnels.sqlite")) }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    private func fill(_ scratch: SQLiteScratchStore) throws {
        _ = try scratch.store.open(StoreFixtures.identity())
        let commit = StoreCommit(
            partitions: [StoreFixtures.advance(0, from: nil, to: 5)],
            installs: [StoreFixtures.write("a", after: 0, "state")],
            summary: []
        )
        #expect(try scratch.store.commit(commit) == .committed)
    }

    @Test func `it is a store with a reader, and leaves nothing when it is removed or let go`() throws {
        let scratch = try SQLiteScratchStore(at: location)
        try fill(scratch)
        let rows = try scratch.reader().withAudit { try $0.rows(after: nil, limit: .batch) }
        #expect(rows == [StoreFixtures.row("a", 1, "state")])
        #expect(try !files().isEmpty)
        scratch.remove()
        scratch.remove()
        #expect(try files().isEmpty)
        try fill(SQLiteScratchStore(at: location))
        #expect(try files().isEmpty)
    }

    @Test func `what a crash has left is removed by the next one, and what is in use is not`() throws {
        let used = try SQLiteScratchStore(at: location)
        try fill(used)
        let inUse = try files()
        // As after a crash: the files are there, and nobody holds the lock.
        let prefix = directory.file("funnels.sqlite.scratch-crashed")
        for suffix in ["", "-wal", "-shm", ".lock"] { try Data("x".utf8).write(to: URL(filePath: prefix + suffix)) }
        try directory.write("without a lock", to: "funnels.sqlite.scratch-crashed-again-wal")
        try directory.write("a store", to: "funnels.sqlite")
        try directory.write("of another store", to: "other.sqlite.scratch-1.lock")
        let next = try SQLiteScratchStore(at: location)
        let names = try files()
        #expect(!names.contains { $0.contains("crashed") })
        #expect(Set(inUse).isSubset(of: names))
        #expect(names.contains("funnels.sqlite") && names.contains("other.sqlite.scratch-1.lock"))
        next.remove()
        #expect(try used.store.progress().map(\.nextOffset) == [5])
        used.remove()
        #expect(try files() == ["funnels.sqlite", "other.sqlite.scratch-1.lock"])
    }

    @Test func `a folder that is not there is named`() throws {
        let error = #expect(throws: StoreError.self) {
            try SQLiteScratchStore(at: ScratchLocation(directory: directory.file("nowhere"), name: "funnels"))
        }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("temporary store in \(directory.file("nowhere"))") == true)
    }

    @Test func `stores that begin at the same moment in one folder leave each other alone`() async throws {
        let location = location
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    try await onThread {
                        for _ in 0..<150 {
                            let scratch = try SQLiteScratchStore(at: location)
                            defer { scratch.remove() }
                            _ = try scratch.store.open(StoreFixtures.identity())
                            #expect(try scratch.store.progress().isEmpty)
                            #expect(try scratch.reader().withSnapshot { try $0.quality() } == Quality())
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try files().isEmpty)
    }
}
