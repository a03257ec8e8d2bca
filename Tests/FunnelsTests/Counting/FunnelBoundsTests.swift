import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct FunnelBoundsTests {
    private static let day: Int64 = 86_400_000

    /// Records of several partitions, mostly in order, some late and many repeated.
    private func records(_ random: inout RandomFunnels, partitions: Int32, events: [Event]) -> [FunnelOracle.Record] {
        var stream = events.sorted { $0.time < $1.time }.map {
            FunnelOracle.Record($0, partition: Int32(random.generator.next() % UInt64(partitions)))
        }
        for record in stream where random.generator.chance(25) {
            let partition = Int32(random.generator.next() % UInt64(partitions))
            stream.append(FunnelOracle.Record(record.event, partition: partition))
        }
        stream.sort { $0.event.time < $1.event.time }
        // Records swap positions, some over a long distance.
        for index in stream.indices where random.generator.chance(40) {
            let distance = random.generator.pick([1, 3, 10, 40])
            let other = min(stream.count - 1, index + Int(random.generator.next() % UInt64(distance)) + 1)
            stream.swapAt(index, other)
        }
        // Record timestamps before, at and after their events' times.
        for index in stream.indices {
            let delay = random.generator.pick([nil, 0, -Self.day, -60_000, 5_000, 2 * Self.day])
            stream[index].timestamp = delay.map { Timestamp(milliseconds: stream[index].event.time.milliseconds + $0) }
        }
        return stream
    }

    private func run(_ topic: inout CountedTopic, _ stream: [FunnelOracle.Record], _ random: inout RandomFunnels)
        throws
    {
        for record in stream {
            try topic.insert(record)
            if random.generator.chance(15) { try topic.commit() }
            if random.generator.chance(5) { try topic.sweep() }
            if random.generator.chance(3) { try topic.restart() }
        }
        try topic.commit()
    }

    private func expect(
        _ topic: CountedTopic,
        equals oracle: FunnelOracle,
        _ random: inout RandomFunnels,
        seed: UInt64
    ) throws {
        let days: [Day?] = [nil] + (0..<12).map { Day(number: 20_513 + $0) }
        for _ in 0..<5 {
            let (from, to) = random.days(among: days)
            var found = try FunnelReport.figures(from: topic, funnels: topic.funnels, from: from, to: to)
            let expected = oracle.report(from: from, to: to)
            // Repeats of a capped install's events are not detected.
            if expected.quality.capped > 0 { found.quality.duplicates = expected.quality.duplicates }
            let isSame = found == expected
            try #require(isSame, "seed \(seed), \(found.quality) and \(expected.quality)")
        }
    }

    @Test func `what is past is removed and no figure changes, whatever fits into memory`() throws {
        let seeds = Seeds.upTo(800)
        #expect(try seeds.count(where: checkRemoval) > seeds.count / 2)
    }

    /// Returns whether the stream had a horizon, behind which evidence is removed.
    private func checkRemoval(seed: UInt64) throws -> Bool {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = seed >= 400
        let funnels = try random.funnels()
        let events = random.events(count: 40 + Int(seed % 120), installs: 1 + Int(seed % 5), days: 10)
        let partitions = Int32(1 + seed % 3)
        let stream = records(&random, partitions: partitions, events: events)
        var bounds = FunnelBounds(
            allowedLateness: random.generator.pick([0, 3_600_000, Self.day, 3 * Self.day]),
            cacheBytes: random.generator.pick([0, 700, .max])
        )
        if seed % 3 > 0 { bounds.eventsPerBlock = random.eventsPerBlock() }
        var topic = try CountedTopic(funnels: funnels, bounds: bounds, partitionCount: Int(partitions))
        try run(&topic, stream, &random)
        let oracle = FunnelOracle(funnels: funnels, records: stream, allowedLateness: bounds.allowedLateness)
        try expect(topic, equals: oracle, &random, seed: seed)

        // After a last pass, an install keeps the evidence that can still count, or less than half of it is removable.
        try topic.sweep()
        guard let horizon = try topic.horizon() else { return false }
        for row in try topic.rows() {
            let times = try InstallContents(row, funnels: funnels).events.map(\.time.milliseconds)
            let window = funnels.map(\.windowMilliseconds).max() ?? 0
            // Days on which clocks go back are longer.
            let day = Self.day + (random.hasAllKeys ? 7_200_000 : 0)
            let isPast = times.map { $0 + window + day < horizon.milliseconds }
            let pastCount = isPast.count { $0 }
            #expect(pastCount * 2 < max(1, times.count), "seed \(seed)")
        }
        return true
    }

    @Test func `the evidence of installs that come no more leaves, and their results stay`() throws {
        let funnels = try RandomFunnels.twoSteps()
        let bounds = FunnelBounds(allowedLateness: Self.day)
        var topic = try CountedTopic(funnels: funnels, bounds: bounds, partitionCount: 1)
        for install in 0..<50 {
            try topic.insert(.init(screenView("home", "i\(install)", at: Int64(install))))
            try topic.insert(.init(screenView("paywall", "i\(install)", at: Int64(install) + 60_000)))
        }
        try topic.commit()
        let size = try topic.rows().map(\.state.count).reduce(0, +)
        #expect(try topic.contents().map(\.events.count).reduce(0, +) == 100)
        try topic.insert(.init(screenView("home", "last", at: 30 * Self.day)))
        try topic.commit()
        try topic.sweep()
        #expect(try topic.contents().map(\.events.count).reduce(0, +) == 1)
        #expect(try topic.rows().map(\.state.count).reduce(0, +) * 5 / 2 < size)
        // Both days together count an install once, so its first result must be kept until it appears again.
        try topic.insert(.init(screenView("home", "i7", at: 31 * Self.day)))
        try topic.commit()
        let report = try FunnelReport.figures(from: topic, funnels: funnels)
        #expect(report.funnels[0].steps.map(\.count) == [51, 50])
        #expect(report.quality == Quality(events: 102))
    }

    @Test func `a partition without events keeps everything, as an event of any time may come there`() throws {
        let funnels = try RandomFunnels.twoSteps()
        var topic = try CountedTopic(funnels: funnels, bounds: FunnelBounds(allowedLateness: 0), partitionCount: 2)
        for day in 0..<10 { try topic.insert(.init(screenView("home", "a", at: Int64(day) * Self.day))) }
        try topic.commit()
        try topic.sweep()
        #expect(try topic.contents().map(\.events.count).reduce(0, +) == 10)
        let events = (0..<10).map { day in
            FunnelOracle.Record(screenView("paywall", "a", at: Int64(day) * Self.day + 1), partition: 1)
        }
        for record in events { try topic.insert(record) }
        try topic.commit()
        #expect(try FunnelReport.figures(from: topic, funnels: funnels).funnels[0].steps.map(\.count) == [1, 1])
    }

    @Test func `an event of a partition that was added is late from before the evidence that is gone`() throws {
        let funnels = try RandomFunnels.twoSteps()
        var topic = try CountedTopic(funnels: funnels, bounds: FunnelBounds(allowedLateness: 0), partitionCount: 1)
        for time in [0, 20 * Self.day] {
            try topic.insert(.init(screenView("home", "a", at: time)))
            try topic.commit()
        }
        try topic.sweep()
        try topic.restart()
        for install in ["a", "b"] { try topic.insert(.init(screenView("paywall", install, at: 60_000), partition: 1)) }
        try topic.commit()
        let report = try FunnelReport.figures(from: topic, funnels: funnels)
        #expect(report.funnels[0].steps.map(\.count) == [1, 0])
        #expect(report.quality == Quality(events: 4, late: 2))
    }

    // MARK: Hot installs

    @Test(arguments: Seeds.upTo(800))
    func `an install above the limit leaves all funnels, in any order of arrival`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = seed >= 400
        let funnels = try random.funnels()
        let events = random.events(count: 60 + Int(seed % 90), installs: 4, days: 10)
        let partitions = Int32(1 + seed % 3)
        var stream = records(&random, partitions: partitions, events: events)
        var bounds = FunnelBounds(cacheBytes: random.generator.pick([0, 700, .max]), evidenceLimit: 3 + Int(seed % 17))
        if seed % 2 == 0 {
            stream.shuffle(using: &random.generator)
        } else {
            bounds.allowedLateness = random.generator.pick([0, 3_600_000, Self.day])
        }
        if seed % 3 > 0 { bounds.eventsPerBlock = random.eventsPerBlock() }
        if seed % 5 > 2 { (bounds.evidenceLimit, bounds.evidenceByteLimit) = (1000, 100 + Int(seed % 900)) }
        var topic = try CountedTopic(funnels: funnels, bounds: bounds, partitionCount: Int(partitions))
        try run(&topic, stream, &random)
        let oracle = FunnelOracle(
            funnels: funnels,
            records: stream,
            allowedLateness: bounds.allowedLateness,
            evidenceLimit: bounds.evidenceLimit,
            evidenceByteLimit: bounds.evidenceByteLimit
        )
        try expect(topic, equals: oracle, &random, seed: seed)
    }

    @Test(arguments: Seeds.upTo(800))
    func `consumers of the same installs cap each once, and remove only what is past for both`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = seed >= 400
        let funnels = try random.funnels()
        let events = random.events(count: 60 + Int(seed % 90), installs: 4, days: 10)
        let stream = records(&random, partitions: 2, events: events)
        var bounds = FunnelBounds(
            allowedLateness: random.generator.pick([0, 3_600_000, Self.day]),
            cacheBytes: random.generator.pick([0, 700, .max]),
            evidenceLimit: seed % 2 == 0 ? 100_000 : 3 + Int(seed % 17)
        )
        if seed % 3 > 0 { bounds.eventsPerBlock = random.eventsPerBlock() }
        var topic = try CountedTopic(funnels: funnels, bounds: bounds, partitionCount: 2, consumerCount: 2)
        for record in stream {
            try topic.insert(record)
            for consumer in 0..<2 where random.generator.chance(12) { try topic.commit(consumer) }
            if random.generator.chance(5) { try topic.sweep(Int(random.generator.next() % 2)) }
        }
        for consumer in 0..<2 { try topic.commit(consumer) }
        let oracle = FunnelOracle(
            funnels: funnels,
            records: stream,
            allowedLateness: bounds.allowedLateness,
            evidenceLimit: bounds.evidenceLimit
        )
        var found = try FunnelReport.figures(from: topic, funnels: funnels)
        let expected = oracle.report()
        if expected.quality.capped > 0 { found.quality.duplicates = expected.quality.duplicates }
        let isSame = found == expected
        try #require(isSame, "seed \(seed), \(found.quality) and \(expected.quality)")
    }
}
