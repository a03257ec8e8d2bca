import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreSQLite
import FunnelStoreTestSupport
import FunnelTestSupport
import Synchronization
import Testing

@testable import Funnels

/// Erased installs: the figures against the brute force over the other installs, and what is left of them in a store.
@Suite struct ErasureTests {
    private static let seeds: Range<UInt64> = 0..<12

    @Test(arguments: StoreUnderTest.all, seeds)
    func `requests at random places give the figures of the other installs`(kind: StoreUnderTest, seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = true
        let funnels = try random.funnels()
        var events = random.events(count: 80, installs: random.generator.pick([2, 8, 20]), days: 4)
        let installs = Set(events.map(\.installID)).sorted()
        for (number, install) in installs.enumerated() where random.generator.chance(40) {
            // A repeat does no harm, and neither does a request for an install without events.
            for copy in 0..<random.generator.pick([1, 1, 2]) {
                let place = Int.random(in: 0...events.count, using: &random.generator)
                events.insert(.request(install, id: "request-\(number)-\(copy)"), at: place)
            }
        }
        events.insert(
            .request("unknown", id: "unknown"),
            at: Int.random(in: 0...events.count, using: &random.generator)
        )
        if random.generator.chance(50) { events.shuffle(using: &random.generator) }

        let directory = try TemporaryDirectory()
        let store = try kind.make(directory)
        var identity = try StoreFixtures.identity(funnels: funnels)
        identity.timeZones = .random
        _ = try store.open(identity)
        // So few events fill a block that most installs have a history.
        let eventsPerBlock = random.generator.pick([1, 4])
        // Two consumers, for a store that two can use, share the events of each install.
        var consumers = (0..<(kind.testDescription == "SQLite" ? 1 : 2)).map { number in
            Consumer(funnels: funnels, eventsPerBlock: eventsPerBlock, partition: Int32(number))
        }
        for event in events {
            let number = Int.random(in: consumers.indices, using: &random.generator)
            consumers[number].insert(event)
            if random.generator.chance(15) { try consumers[number].commit(to: store) }
        }
        for number in consumers.indices { try consumers[number].commit(to: store) }

        let expected = FunnelOracle(funnels: funnels, records: events.map { FunnelOracle.Record($0) }).report()
        let report = try kind.makeReader(store, directory).withSnapshot {
            try FunnelReport.figures(from: $0, funnels: funnels)
        }
        try #require(report.funnels.map(\.steps) == expected.funnels.map(\.steps), "seed \(seed)")
        try #require(report.funnels.map(\.breakdown) == expected.funnels.map(\.breakdown), "seed \(seed)")
        var quality = report.quality
        // The repeats that came before a request are counted, or not, as the commits were made.
        quality.duplicates = expected.quality.duplicates
        try #require(quality == expected.quality, "seed \(seed)")
        let rows = try kind.makeReader(store, directory).withAudit { audit in
            var rows: [[UInt8]] = []
            try audit.forEachInstall { rows.append($0.install) }
            return rows
        }
        let erased = Set(events.filter { $0.type == ErasureRequest.eventType }.map { Array($0.installID.utf8) })
        #expect(erased.isDisjoint(with: rows))
        try store.close()
    }

    @Test func `the bytes of the file have no trace of an erased install`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("funnels.sqlite")
        let funnels = [
            try Funnel(
                name: "by-user",
                window: .seconds(3600),
                breakdown: "user_id",
                steps: [Step(name: "a", event: "a"), Step(name: "b", event: "b")]
            )
        ]
        let store = try SQLiteFunnelStore(path: path)
        _ = try store.open(StoreFixtures.identity(funnels: funnels))
        var consumer = Consumer(funnels: funnels, eventsPerBlock: FunnelBounds().eventsPerBlock, partition: 0)
        let people = (0..<2000).map { Person(number: $0) }
        var generator = SeededGenerator(seed: 1)
        // Many commits in random order, so that SQLite moves rows between pages.
        for (count, index) in (people + people + people).map(\.number).shuffled(using: &generator).enumerated() {
            consumer.insert(people[index].event(count))
            if count % 500 == 0 { try consumer.commit(to: store) }
        }
        try consumer.commit(to: store)
        let erased = people.filter { $0.number.isMultiple(of: 5) }
        #expect(try Self.traces(of: erased, in: directory) > 0)
        for person in erased { consumer.insert(.request(person.install, id: "request-\(person.number)")) }
        try consumer.commit(to: store)
        #expect(try Self.traces(of: erased, in: directory) == 0)
        #expect(try Self.traces(of: people.filter { !$0.number.isMultiple(of: 5) }, in: directory) > 0)

        // What is known of the erased survives the program, and an old event brings nobody back.
        try store.close()
        let again = try SQLiteFunnelStore(path: path)
        _ = try again.open(StoreFixtures.identity(funnels: funnels))
        var next = Consumer(funnels: funnels, eventsPerBlock: FunnelBounds().eventsPerBlock, partition: 1)
        for person in erased { next.insert(person.event(9_000_000)) }
        try next.commit(to: again)
        try again.close()
        #expect(try Self.traces(of: erased, in: directory) == 0)
        let quality = try SQLiteFunnelReader(path: path).withSnapshot { try $0.quality() }
        #expect(quality.erasedInstalls == 400)
    }

    @Test func `a file that is being read is rewritten by a later commit`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("funnels.sqlite")
        let failures = Failures()
        let store = try SQLiteFunnelStore(path: path, busyTimeout: .milliseconds(10)) { failures.add($0) }
        _ = try store.open(StoreFixtures.identity())
        let commit = StoreFixtures.write("0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d5e", after: 0, "state")
        _ = try store.commit(StoreCommit(partitions: [], installs: [commit], summary: []))
        var erasure = InstallWrite(install: commit.install, expectedVersion: 1, state: [])
        erasure.erases = true
        try SQLiteFunnelReader(path: path).withSnapshot { source in
            _ = try source.quality()
            #expect(try store.commit(StoreCommit(partitions: [], installs: [erasure], summary: [])) == .committed)
        }
        #expect(failures.all.count == 1 && failures.all[0].failure != nil)
        try store.close()
        #expect(failures.all.count == 2 && failures.all[1].failure == nil)
        #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data(commit.install)) == nil)
    }

    /// How many texts of these people are in the store's files.
    private static func traces(of people: [Person], in directory: TemporaryDirectory) throws -> Int {
        var count = 0
        for name in ["funnels.sqlite", "funnels.sqlite-wal"] {
            guard let bytes = try? Data(contentsOf: URL(filePath: directory.file(name))) else { continue }
            // The texts have the same length, so each place of the file is looked at once.
            let texts = Set(people.flatMap(\.texts).map { Array($0.utf8) })
            let all = [UInt8](bytes)
            for place in all.indices.dropLast(Person.textLength - 1) where all[place] == UInt8(ascii: "~") {
                if texts.contains(Array(all[place..<place + Person.textLength])) { count += 1 }
            }
        }
        return count
    }
}

/// An install whose id, sessions, event ids and user are texts that a file can be searched for.
private struct Person {
    static let textLength = 24
    let number: Int

    private func text(_ kind: String) -> String {
        let name = "~\(kind)-\(number)-"
        return name + String(repeating: "x", count: Self.textLength - name.utf8.count)
    }

    var install: String { text("install") }
    var texts: [String] { [install, text("session"), text("user")] }

    func event(_ count: Int) -> Event {
        Event(
            id: "\(text("event"))\(count)",
            source: "app://test",
            type: count.isMultiple(of: 2) ? "a" : "b",
            time: Timestamp(milliseconds: 1_790_000_000_000 + Int64(count) * 1000),
            installID: install,
            sessionID: text("session"),
            userID: text("user")
        )
    }
}

private final class Failures: Sendable {
    private let vacuums = Mutex<[SQLiteVacuum]>([])
    var all: [SQLiteVacuum] { vacuums.withLock { $0 } }
    func add(_ vacuum: SQLiteVacuum) { vacuums.withLock { $0.append(vacuum) } }
}

/// Collects, counts and commits events as a consumer does.
private struct Consumer {
    private var collector: FunnelCollector
    private var counter: FunnelCounter
    private let partition: Int32
    private var offset: Int64?
    private var pendingCount: Int64 = 0

    init(funnels: [Funnel], eventsPerBlock: Int, partition: Int32) {
        collector = FunnelCollector(funnels: funnels)
        var bounds = FunnelBounds()
        bounds.eventsPerBlock = eventsPerBlock
        counter = FunnelCounter(funnels: funnels, bounds: bounds, timeZones: .random)
        self.partition = partition
    }

    mutating func insert(_ event: Event) {
        EventFields.with(event, fields: collector.fields) { collector.insert($0, partition: partition) }
        pendingCount += 1
    }

    mutating func commit(to store: any FunnelStore) throws {
        var batch = counter.batch(of: collector.takeInterval())
        while true {
            try batch.count { try store.installs($0.installs, history: $0.withHistory ? .all : .index) }
            var totals = CountedTotals()
            totals.add(batch)
            var quality = totals.quality[partition] ?? Quality()
            quality.events += pendingCount
            let advance = StoreFixtures.advance(
                partition,
                from: offset,
                to: (offset ?? 0) + pendingCount,
                quality: quality
            )
            let commit = StoreCommit(partitions: [advance], installs: batch.writes, summary: totals.summary())
            switch try store.commit(commit) {
            case .committed:
                counter.confirm(batch)
                offset = (offset ?? 0) + pendingCount
                pendingCount = 0
                return
            case .conflicts(let rows): batch.resolve(rows)
            case .fenced, .rebuilt: throw Refused()
            }
        }
    }

    private struct Refused: Error {}
}

extension Event {
    fileprivate static func request(_ install: String, id: String) -> Event {
        Event(
            id: id,
            source: "app://test",
            type: ErasureRequest.eventType,
            time: Timestamp(milliseconds: 1_790_000_000_000),
            installID: install
        )
    }
}
