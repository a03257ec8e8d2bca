import FlowEvents
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

@Suite struct SummaryTests {
    typealias Fixtures = StoreFixtures

    private func delta(_ key: SummaryKey, _ counts: [Int: Int]) -> SummaryDelta {
        SummaryDelta.numbered(key, counts)
    }

    @Test(arguments: StoreUnderTest.all)
    func `the whole, the empty value and other values are kept apart`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let keys = [nil, "", "ios", "\u{0}", "NULL"].map { Fixtures.key(0, $0, day: 3) }
        try open.commit([], [], keys.enumerated().map { delta($1, [$0: 1]) })
        try open.reader.withSnapshot { source throws in
            #expect(try source.counts(funnel: 0, byValue: false) == [keys[0]: [0: 1]])
            let expected = Dictionary(uniqueKeysWithValues: keys.enumerated().dropFirst().map { ($1, [$0: 1]) })
            #expect(try source.counts(funnel: 0, byValue: true) == expected)
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func `a range of days has both its bounds and only its funnel`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let days: [Int32] = [-2, -1, 0, 1, 2]
        try open.commit([], [], days.map { delta(Fixtures.key(0, nil, day: $0), [1: 1]) })
        try open.commit([], [], [delta(Fixtures.key(1, nil, day: 0), [2: 1])])
        try open.reader.withSnapshot { source throws in
            func found(_ from: Int32?, _ to: Int32?) throws -> [Int32] {
                let range = DayRange(from.map(Day.init(number:)), to.map(Day.init(number:)))
                return try source.counts(funnel: 0, byValue: false, in: range).keys.map(\.day.number).sorted()
            }
            #expect(try found(-1, 1) == [-1, 0, 1])
            #expect(try found(nil, -1) == [-2, -1])
            #expect(try found(2, nil) == [2])
            #expect(try found(nil, nil) == days)
            #expect(try found(1, 0).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func `the days with entries are those of the counts that are left`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        for (funnel, value, days) in [(0, nil, [-3, 1, 4]), (0, "ios", [-9]), (1, nil, [8])]
            as [(Int, String?, [Int32])]
        {
            try open.commit([], [], days.map { delta(Fixtures.key(funnel, value, day: $0), [1: 1]) })
        }
        func found(_ from: Int32? = nil, _ to: Int32? = nil) throws -> [Int32] {
            let days = try open.reader.withSnapshot {
                try $0.entryDays(funnel: 0, in: DayRange(from.map(Day.init(number:)), to.map(Day.init(number:))))
            }
            return days.map { [$0.lowerBound.number, $0.upperBound.number] } ?? []
        }
        #expect(try found() == [-3, 4])
        #expect(try found(-2) == [1, 4])
        #expect(try found(nil, 3) == [-3, 1])
        #expect(try found(1, 1) == [1, 1])
        #expect(try found(2, 3) == [] && found(3, 2) == [])
        try open.commit([], [], [delta(Fixtures.key(0, nil, day: 4), [1: -1])])
        #expect(try found() == [-3, 1])
    }

    @Test(arguments: StoreUnderTest.all)
    func `many small segments are folded into few, and what cancels out is gone`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let key = Fixtures.key(0, "ios", day: 3)
        for number in 0..<100 { try open.commit([], [], [delta(key, [number: 1])]) }
        func segmentCount() throws -> Int {
            var count = 0
            try open.reader.withSnapshot {
                try $0.forEachSegment(funnel: 0, byValue: true, in: .all) { _, _, _ in count += 1 }
            }
            return count
        }
        #expect(try segmentCount() <= 8)
        let sums = try open.reader.withSnapshot { try $0.counts(funnel: 0, byValue: true) }
        #expect(sums == [key: Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, 1) })])
        try open.commit([], [], [delta(key, Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, -1) }))])
        #expect(try segmentCount() == 0)
    }

    @Test(arguments: StoreUnderTest.all)
    func `a report sees one state while commits go on`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let key = Fixtures.key(0, nil, day: 3)
        func commit(_ offset: Int64?) throws {
            let next = (offset ?? 0) + 1
            let outcome = try open.commit(
                [Fixtures.advance(0, from: offset, to: next, quality: Quality(events: 1))],
                [],
                [delta(key, [0: 1])]
            )
            #expect(outcome == .committed)
        }
        try commit(nil)
        try open.reader.withSnapshot { source throws in
            #expect(try source.quality().events == 1)
            for offset in 1..<20 as Range<Int64> { try commit(offset) }
            #expect(try source.quality().events == 1)
            #expect(try source.counts(funnel: 0, byValue: false) == [key: [0: 1]])
        }
        try open.reader.withSnapshot { source throws in
            #expect(try source.quality().events == 20)
            #expect(try source.counts(funnel: 0, byValue: false) == [key: [0: 20]])
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func `a snapshot rethrows the body's errors`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let reader = try open.reader
        #expect(throws: StoreTestFailure.self) {
            try reader.withSnapshot { _ in throw StoreTestFailure("mine") }
        }
        #expect(throws: Never.self) { try reader.withSnapshot { _ = try $0.quality() } }
    }

    @Test(arguments: StoreUnderTest.all)
    func `a body that throws in the middle of the segments leaves the reader as it was`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        let keys = (0..<5_000 as Range<Int32>).map { Fixtures.key(0, nil, day: $0) }
        try open.commit([], [], keys.map { delta($0, [1: 1]) })
        let reader = try open.reader
        for _ in 0..<3 {
            var count = 0
            #expect(throws: StoreTestFailure.self) {
                try reader.withSnapshot {
                    try $0.forEachSegment(funnel: 0, byValue: false, in: .all) { _, _, _ in
                        count += 1
                        if count == 2 { throw StoreTestFailure("mine") }
                    }
                }
            }
            #expect(count == 2)
        }
        #expect(try reader.withSnapshot { try $0.counts(funnel: 0, byValue: false).count } == keys.count)
    }
}
