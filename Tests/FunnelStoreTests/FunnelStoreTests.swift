import FlowEventTestSupport
import FlowEvents
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

@Suite struct FunnelStoreTests {
    typealias Fixtures = StoreFixtures

    @Test(arguments: StoreUnderTest.all)
    func `the store has what was committed`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let quality = QualityColumns.quality { Int64($0 + 1) }
        let outcome = try open.commit(
            [
                Fixtures.advance(3, from: nil, to: 0),
                Fixtures.advance(0, from: nil, to: 13, watermark: -5, quality: quality),
            ],
            [Fixtures.write("a", after: 0, "state"), Fixtures.write("", after: 0, "")]
        )
        #expect(outcome == .committed)
        #expect(
            try open.store.progress().sorted { $0.partition < $1.partition } == [
                PartitionProgress(
                    partition: 0,
                    nextOffset: 13,
                    watermark: Timestamp(milliseconds: -5),
                    quality: quality
                ),
                PartitionProgress(partition: 3, nextOffset: 0),
            ]
        )
        let rows = try open.store.installs([Fixtures.bytes("a"), Fixtures.bytes("unknown"), []])
        #expect(Set(rows) == [Fixtures.row("a", 1, "state"), Fixtures.row("", 1, "")])
    }

    @Test(arguments: StoreUnderTest.all)
    func `a partition moves on, its counts add up and its watermark is set`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let first = Quality(events: 5, completeness: Completeness(expected: 6, missing: 5))
        try open.commit([Fixtures.advance(0, from: nil, to: 5, watermark: 1, quality: first)])
        let outcome = try open.commit([
            Fixtures.advance(
                0,
                from: 5,
                to: 9,
                watermark: 7,
                quality: Quality(
                    events: 3,
                    duplicates: 1,
                    deadLetters: 1,
                    completeness: Completeness(expected: 2, missing: -4),
                    unread: 1
                )
            )
        ])
        #expect(outcome == .committed)
        let quality = Quality(
            events: 8,
            duplicates: 1,
            deadLetters: 1,
            completeness: Completeness(expected: 8, missing: 1),
            unread: 1
        )
        let expected = PartitionProgress(
            partition: 0,
            nextOffset: 9,
            watermark: Timestamp(milliseconds: 7),
            quality: quality
        )
        #expect(try open.store.progress() == [expected])
        #expect(try open.reader.withSnapshot { try $0.quality() } == quality)
    }

    @Test(arguments: StoreUnderTest.all, [nil, 4, 6])
    func `a move from another offset is fenced and changes nothing`(kind: StoreUnderTest, expected: Int64?) throws {
        let open = try OpenStore(kind)
        try open.commit([Fixtures.advance(0, from: nil, to: 5), Fixtures.advance(1, from: nil, to: 2)])
        let standing = try open.store.progress()
        let outcome = try open.commit(
            [Fixtures.advance(1, from: 2, to: 3), Fixtures.advance(0, from: expected, to: 8)],
            [Fixtures.write("a", after: 0, "x")],
            [SummaryDelta.numbered(Fixtures.key(0, nil, day: 1), [1: 1])]
        )
        guard case .fenced(let progress) = outcome else { throw StoreTestFailure("\(outcome)") }
        #expect(Set(progress) == Set(standing))
        #expect(try open.store.progress() == standing)
        #expect(try open.store.installs([Fixtures.bytes("a")]).isEmpty)
        #expect(try open.reader.withSnapshot { try $0.counts(funnel: 0, byValue: false) }.isEmpty)
    }

    @Test(arguments: StoreUnderTest.all)
    func `a move of a partition that the store does not have is fenced`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        #expect(try open.commit([Fixtures.advance(0, from: 5, to: 8)]) == .fenced([]))
    }

    @Test(arguments: StoreUnderTest.all)
    func `a write over another version returns the current rows and changes nothing`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        try open.commit([], [Fixtures.write("a", after: 0, "1"), Fixtures.write("b", after: 0, "1")])
        try open.commit([], [Fixtures.write("a", after: 1, "2")])
        let outcome = try open.commit(
            [Fixtures.advance(0, from: nil, to: 5)],
            [
                Fixtures.write("c", after: 0, "mine"), Fixtures.write("a", after: 1, "mine"),
                Fixtures.write("b", after: 0, "mine"), Fixtures.write("never", after: 3, "mine"),
            ],
            [SummaryDelta.numbered(Fixtures.key(0, nil, day: 1), [1: 1])]
        )
        guard case .conflicts(let rows) = outcome else { throw StoreTestFailure("\(outcome)") }
        let standing = [Fixtures.row("a", 2, "2"), Fixtures.row("b", 1, "1")]
        #expect(Set(rows) == Set(standing + [.none(Fixtures.bytes("never"))]))
        #expect(try open.store.progress().isEmpty)
        #expect(Set(try open.store.installs(["a", "b", "c", "never"].map(Fixtures.bytes))) == Set(standing))
        #expect(try open.reader.withSnapshot { try $0.counts(funnel: 0, byValue: false) }.isEmpty)
        #expect(try open.commit([], [Fixtures.write("a", after: 2, "united")]) == .committed)
    }

    @Test(arguments: StoreUnderTest.all)
    func `an install's id may be as long as the rules allow, and a breakdown value as an event`(kind: StoreUnderTest)
        throws
    {
        let open = try OpenStore(kind)
        // Random, so that no store can compress it to fit into an index.
        var generator = SeededGenerator(seed: 1)
        func text(_ length: Int) -> String {
            String(decoding: (0..<length).map { _ in UInt8.random(in: 97...122, using: &generator) }, as: UTF8.self)
        }
        let long = text(100_000)
        let id = text(EventRules.maximumTextSize - 1)
        let installs = [id, id + "x", text(256)]
        #expect(try open.commit([], installs.map { Fixtures.write($0, after: 0, "1") }) == .committed)
        #expect(try open.commit([], installs.map { Fixtures.write($0, after: 1, "2") }) == .committed)
        guard case .conflicts(let rows) = try open.commit([], [Fixtures.write(id, after: 1, "3")]) else {
            throw StoreTestFailure("no conflict")
        }
        #expect(rows == [Fixtures.row(id, 2, "2")])
        let stored = Set(try open.store.installs(installs.map(Fixtures.bytes)))
        #expect(stored == Set(installs.map { Fixtures.row($0, 2, "2") }))
        let keys = [long, long + "x"].map { Fixtures.key(0, $0, day: 1) }
        for _ in 0..<3 {
            try open.commit([], [], keys.map { SummaryDelta.numbered($0, [1: 1]) })
        }
        let sums = try open.reader.withSnapshot { try $0.counts(funnel: 0, byValue: true) }
        #expect(sums == Dictionary(uniqueKeysWithValues: keys.map { ($0, [1: 3]) }))
    }

    @Test(arguments: StoreUnderTest.all)
    func `a damaged segment fails the commit and changes nothing`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let error = #expect(throws: StoreError.self) {
            try open.commit(
                [Fixtures.advance(0, from: nil, to: 5)],
                [Fixtures.write("a", after: 0, "x")],
                [
                    SummaryDelta.numbered(Fixtures.key(0, nil, day: 1), [1: 1]),
                    SummaryDelta(key: Fixtures.key(0, nil, day: 2), segment: [0xFF]),
                ]
            )
        }
        #expect(error?.code == .unusable)
        #expect(try open.store.progress().isEmpty)
        #expect(try open.store.installs([Fixtures.bytes("a")]).isEmpty)
        #expect(try open.reader.withSnapshot { try $0.counts(funnel: 0, byValue: false) }.isEmpty)
        #expect(try open.commit([Fixtures.advance(0, from: nil, to: 5)]) == .committed)
    }
}

/// A result with which a test cannot continue.
struct StoreTestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
