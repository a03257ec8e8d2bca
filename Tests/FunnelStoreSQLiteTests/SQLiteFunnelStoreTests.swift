import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreSQLite
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import FlowProcessTestSupport
import Testing

@Suite struct SQLiteFunnelStoreTests {
    typealias Fixtures = StoreFixtures

    private let directory: TemporaryDirectory
    private var path: String { directory.file("funnels.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func makeStore() throws {
        let store = try SQLiteFunnelStore(path: path)
        _ = try store.open(Fixtures.identity())
        let outcome = try store.commit(
            StoreCommit(
                partitions: [Fixtures.advance(0, from: nil, to: 9, watermark: 4, quality: Quality(events: 9))],
                installs: [Fixtures.write("a", after: 0, "state")],
                summary: [SummaryDelta.numbered(Fixtures.key(1, "", day: -4), [1: 2])]
            )
        )
        #expect(outcome == .committed)
        try store.close()
    }

    @Test func `a store that was closed is as it was when it is opened again`() throws {
        try makeStore()
        let store = try SQLiteFunnelStore(path: path)
        let progress = PartitionProgress(
            partition: 0,
            nextOffset: 9,
            watermark: Timestamp(milliseconds: 4),
            quality: Quality(events: 9)
        )
        #expect(try store.open(Fixtures.identity()) == [progress])
        #expect(try store.installs([Fixtures.bytes("a")]) == [Fixtures.row("a", 1, "state")])
        let reader = try SQLiteFunnelReader(path: path)
        #expect(try reader.funnels == Fixtures.identity().funnels)
        let sums = try reader.withSnapshot { try $0.counts(funnel: 1, byValue: true) }
        #expect(sums == [Fixtures.key(1, "", day: -4): [1: 2]])
    }

    @Test func `a new description is kept for reports`() throws {
        try makeStore()
        let funnels = try [Fixtures.funnel("first", description: "said anew"), Fixtures.funnel("second")]
        let store = try SQLiteFunnelStore(path: path)
        _ = try store.open(Fixtures.identity(funnels: funnels))
        #expect(try SQLiteFunnelReader(path: path).funnels == funnels)
    }

    @Test func `its files are for their owner only`() throws {
        let store = try SQLiteFunnelStore(path: path)
        _ = try store.open(Fixtures.identity())
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
        }
        try store.close()
    }

    @Test func `a path that SQLite would take for something else is a file`() throws {
        let odd = directory.file("a?mode=memory#b%20 c.sqlite")
        let store = try SQLiteFunnelStore(path: odd)
        _ = try store.open(Fixtures.identity())
        #expect(FileManager.default.fileExists(atPath: odd))
        #expect(try SQLiteFunnelReader(path: odd).funnels.count == 2)
        try store.close()
        #expect(try SQLiteFunnelReader(path: odd).funnels.count == 2)
    }

    @Test func `a second consumer is refused with a hint at PostgreSQL, also by another path`() throws {
        let holder = try HelperProcess("funnel-store-helper", "hold", path)
        #expect(holder.nextOutput() == "open\n")
        let link = directory.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for path in [path, link] {
            let error = #expect(throws: StoreError.self) { try SQLiteFunnelStore(path: path) }
            let text = error?.message ?? ""
            #expect(error?.code == .unavailable)
            #expect(text.contains(path) && text.contains("one consumer") && text.contains("postgres://"))
        }
        #expect(try holder.finish().contains("done"))
        #expect(throws: Never.self) { try SQLiteFunnelStore(path: path).close() }
    }

    @Test func `a consumer that was killed leaves no lock behind`() throws {
        let holder = try HelperProcess("funnel-store-helper", "hold", path)
        #expect(holder.nextOutput() == "open\n")
        holder.kill()
        #expect(throws: Never.self) { try SQLiteFunnelStore(path: path).close() }
    }

    #if os(Linux)
    @Test func `a closed store is free although a process that was started meanwhile has its descriptors`() throws {
        let store = try SQLiteFunnelStore(path: path)
        // A new process has them until it runs its own program.
        let inherited = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
            .filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path + ".lock"
            }
            .map { dup($0) }
        defer { for descriptor in inherited { close(descriptor) } }
        #expect(inherited.count == 1)
        try store.close()
        #expect(throws: Never.self) { try SQLiteFunnelStore(path: path).close() }
    }
    #endif

    @Test(arguments: 1...8)
    func `a consumer killed in the middle leaves a store at the end of a commit`(round: Int) throws {
        var generator = SeededGenerator(seed: UInt64(round))
        let helper = try HelperProcess("funnel-store-helper", "commit", path)
        var said = ""
        let awaited = Int.random(in: 1...60, using: &generator)
        while said.utf8.count(where: { $0 == UInt8(ascii: "\n") }) < awaited {
            let more = helper.nextOutput()
            guard !more.isEmpty else { throw Unexpected("the helper ended by itself after: \(said)") }
            said += more
        }
        // Also in the middle of a commit.
        for _ in 0..<Int.random(in: 0..<200_000, using: &generator) { _ = generator.next() }
        helper.kill()
        // The last line may be incomplete.
        let last = said.split(separator: "\n").dropLast().last.flatMap { Int64($0) } ?? 0

        let beforeRecovery = try SQLiteFunnelReader(path: path).withSnapshot { try $0.quality().events }
        let store = try SQLiteFunnelStore(path: path)
        let offset = try #require(try store.open(Fixtures.identity()).first).nextOffset
        #expect(offset >= last && offset == beforeRecovery, "seed \(round)")
        let rows = try store.installs((0..<200).map { Fixtures.bytes("install-\($0)") })
        #expect(rows.count == 200)
        let state = [UInt8](repeating: UInt8(truncatingIfNeeded: offset), count: 900)
        #expect(rows.allSatisfy { $0.version == offset && $0.state == state }, "seed \(round)")
        let counts = try SQLiteFunnelReader(path: path).withSnapshot { try $0.counts(funnel: 0, byValue: false) }
        #expect(counts.values.reduce(0) { $0 + $1.values.reduce(0, +) } == Int(offset), "seed \(round)")
    }
}

/// A result with which a test cannot continue.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
