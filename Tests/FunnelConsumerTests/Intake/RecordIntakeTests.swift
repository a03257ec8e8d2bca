import FlowEventTestSupport
import FlowEvents
import FunnelStore
import Funnels
import Testing

@testable import FunnelConsumer

@Suite struct RecordIntakeTests {
    private var intake: RecordIntake

    init() throws {
        intake = RecordIntake(funnels: try homeToPaywall(), allowedLateness: 1000)
        intake.assign(0, stored: nil)
    }

    private mutating func take(_ text: String, partition: Int32 = 0, offset: Int64) -> EventViolation? {
        Array(text.utf8).withUnsafeBytes { intake.take($0, timestamp: nil, partition: partition, offset: offset) }
    }

    private mutating func take(_ event: Event, partition: Int32 = 0, offset: Int64) throws -> EventViolation? {
        try event.encoded().withUnsafeBytes { intake.take($0, timestamp: nil, partition: partition, offset: offset) }
    }

    /// Returns the installs with events in the next interval.
    private mutating func waitingInstalls() throws -> [[UInt8]] {
        var counter = FunnelCounter(funnels: try homeToPaywall())
        return counter.batch(of: intake.takeInterval()).missingRows?.installs ?? []
    }

    @Test mutating func `an event moves its partition on and waits until its install is counted`() throws {
        #expect(try take(screenView("home", "a", second: 0), offset: 0) == nil)
        #expect(intake.hasChanges)
        let waiting = try waitingInstalls()
        #expect(waiting == [Array("a".utf8)])
        let advances = intake.takeAdvances()
        #expect(advances.map(\.nextOffset) == [1] && advances.map(\.expectedOffset) == [nil])
        #expect(advances.map(\.quality) == [Quality(events: 1)])
        #expect(!intake.hasChanges)
    }

    @Test mutating func `a partition at its end is committed again when it is confirmed, others are not`() throws {
        intake.assign(1, stored: PartitionProgress(partition: 1, nextOffset: 3))
        _ = intake.takeAdvances()
        intake.setEnd(of: 1, at: 3)
        _ = intake.takeAdvances()
        #expect(!intake.hasChanges)
        intake.confirmEnds()
        #expect(intake.hasChanges)
        let now = Timestamp(milliseconds: 7)
        let advances = intake.takeAdvances(now: now)
        #expect(advances.map(\.partition) == [1] && advances.map(\.readAt) == [now])
        #expect(advances.map(\.expectedOffset) == [3] && advances.map(\.nextOffset) == [3])
        #expect(!intake.hasChanges)
    }

    @Test mutating func `a partition that only begins has not been read, and one with a record has`() throws {
        let now = Timestamp(milliseconds: 7)
        intake.assign(0, stored: nil)
        intake.begin(0, at: 4)
        #expect(intake.takeAdvances(now: now).map(\.readAt) == [nil])
        _ = try take(screenView("home", "a", second: 0), offset: 4)
        #expect(intake.takeAdvances(now: now).map(\.readAt) == [now])
        intake.assign(1, stored: nil)
        intake.begin(1, at: 0)
        _ = try take(screenView("home", "a", second: 0), partition: 1, offset: 0)
        #expect(intake.takeAdvances(now: now).map(\.readAt) == [now])
    }

    @Test mutating func `what is known of the topic stays when a rebuild changes the funnels`() throws {
        intake.isCompacted = true
        let other = try Funnel(name: "other", window: .seconds(9), steps: [Step(name: "s", event: "other")])
        _ = try take(screenView("home", "a", second: 0), offset: 0)
        let mark = RecordMark(offset: 0, timestamp: 0, checksum: 5)
        intake.setLastRecord(mark, of: 0)
        intake.replaceFunnels(by: [other])
        #expect(intake.takeInterval().installCount == 0)
        // The store's mark may be of a topic that is not noticed yet.
        let later = RecordMark(offset: 1, timestamp: 0, checksum: 6)
        intake.assign(0, stored: PartitionProgress(partition: 0, nextOffset: 2, lastRecord: later))
        intake.setLastRecord(later, of: 0)
        #expect(intake.unconfirmedRecords == [0: UnconfirmedRecord(confirmed: mark, last: later)])
        intake.skip(0, to: 5)
        #expect(intake.takeAdvances().map(\.quality.compacted) == [3])
    }

    @Test(arguments: [true, false])
    mutating func `in a compacted topic all offsets without a record are counted, each once, and in others none`(
        isCompacted: Bool
    ) throws {
        var generator = SeededGenerator(seed: 44)
        for _ in 0..<50 {
            let first = Int64.random(in: 0..<5, using: &generator)
            let end = first + Int64.random(in: 0..<200, using: &generator)
            let kept = (first..<end).filter { _ in Bool.random(using: &generator) }
            intake = RecordIntake(funnels: try homeToPaywall(), allowedLateness: 1000)
            intake.isCompacted = isCompacted
            intake.assign(0, stored: nil)
            intake.begin(0, at: first)
            var quality = Quality()
            for offset in kept {
                // A record may come twice, and some are no events.
                for _ in 0..<Int.random(in: 1...2, using: &generator) {
                    if offset.isMultiple(of: 7) {
                        _ = take("no event", offset: offset)
                    } else {
                        _ = try take(screenView("home", "a", second: 0), offset: offset)
                    }
                }
                if Int.random(in: 0..<10, using: &generator) == 0 {
                    for advance in intake.takeAdvances() { quality += advance.quality }
                }
            }
            intake.skip(0, to: end)
            for advance in intake.takeAdvances() { quality += advance.quality }
            #expect(quality.compacted == (isCompacted ? end - first - Int64(kept.count) : 0))
            #expect(quality.events + quality.deadLetters == Int64(kept.count) && quality.unread == 0)
        }
    }

    @Test mutating func `offsets before the first record of a partition whose beginning is not known are not counted`()
        throws
    {
        intake.isCompacted = true
        intake.assign(1, stored: nil, isBegun: false)
        #expect(try take(screenView("home", "a", second: 0), partition: 1, offset: 500) == nil)
        let quality = intake.takeAdvances().reduce(into: Quality()) { $0 += $1.quality }
        #expect(quality == Quality(events: 1))
    }

    @Test mutating func `a record that was taken in already is ignored`() throws {
        intake.assign(0, stored: PartitionProgress(partition: 0, nextOffset: 5))
        #expect(try take(screenView("home", "a", second: 0), offset: 4) == nil)
        #expect(take("no event either", offset: 3) == nil)
        let waiting = try waitingInstalls()
        #expect(!intake.hasChanges && waiting.isEmpty)
    }

    @Test mutating func `a record of a partition that is gone is another consumer's`() throws {
        intake.revoke(0)
        #expect(try take(screenView("home", "a", second: 0), offset: 0) == nil)
        #expect(take("no event either", partition: 7, offset: 0) == nil)
        let waiting = try waitingInstalls()
        #expect(!intake.hasChanges && waiting.isEmpty)
    }

    @Test mutating func `an invalid record is told, counted, and moves its partition on`() {
        #expect(take("no event", offset: 0)?.reason == .notJSON)
        #expect(take("{}", offset: 1)?.reason == .notCloudEvents)
        let advances = intake.takeAdvances()
        #expect(advances.map(\.nextOffset) == [2])
        #expect(advances.map(\.quality) == [Quality(deadLetters: 2)])
        #expect(advances.map(\.watermark) == [nil])
    }

    @Test mutating func `a late event is counted as late and takes no part in a funnel`() throws {
        _ = try take(screenView("purchase", "a", second: 60), offset: 0)
        _ = try take(screenView("home", "b", second: 58), offset: 1)
        #expect(intake.takeAdvances().map(\.quality) == [Quality(events: 2, late: 1)])
        let waiting = try waitingInstalls()
        #expect(waiting.isEmpty)
    }

    @Test mutating func `lateness goes on from the watermark that the store has`() throws {
        let watermark = screenView("home", "a", second: 60).time
        intake.assign(0, stored: PartitionProgress(partition: 0, nextOffset: 5, watermark: watermark))
        _ = try take(screenView("home", "b", second: 58), offset: 5)
        let advances = intake.takeAdvances()
        #expect(advances.map(\.quality) == [Quality(events: 1, late: 1)])
        #expect(advances.map(\.watermark) == [watermark] && advances.map(\.expectedOffset) == [5])
    }

    @Test mutating func `offsets without a record are skipped, and nothing goes back`() throws {
        _ = try take(screenView("home", "a", second: 0), offset: 0)
        intake.skip(0, to: 4)
        intake.skip(0, to: 2)
        intake.skip(9, to: 2)
        #expect(intake.takeAdvances().map(\.nextOffset) == [4])
    }

    @Test mutating func `the partitions of a commit come in order, those without news left out`() throws {
        for partition in [Int32(3), 1, 2] { intake.assign(partition, stored: nil) }
        // Starting a partition is a change too.
        #expect(intake.takeAdvances().map(\.partition) == [0, 1, 2, 3])
        #expect(intake.takeAdvances().isEmpty)
        _ = try take(screenView("home", "a", second: 0), partition: 3, offset: 0)
        _ = try take(screenView("home", "a", second: 1), partition: 1, offset: 7)
        #expect(intake.takeAdvances().map(\.partition) == [1, 3])
        #expect(intake.takeAdvances().isEmpty)
    }

    @Test mutating func `forgetting installs forgets what waits of them`() throws {
        _ = try take(screenView("home", "a", second: 0), offset: 0)
        intake.forgetInstalls()
        let waiting = try waitingInstalls()
        #expect(waiting.isEmpty)
        #expect(intake.pending.byteCount == 0)
    }

    @Test mutating func `a partition is at its end until a record comes`() throws {
        _ = try take(screenView("home", "a", second: 0), offset: 0)
        intake.setEnd(of: 0, at: 1)
        #expect(intake.takeAdvances().map(\.isAtEnd) == [true])
        _ = try take(screenView("home", "b", second: 0), offset: 1)
        #expect(intake.takeAdvances().map(\.isAtEnd) == [false])
        // The end alone is something to commit.
        #expect(!intake.hasChanges)
        intake.setEnd(of: 0, at: 2)
        #expect(intake.hasChanges)
        let advances = intake.takeAdvances()
        #expect(advances.map(\.isAtEnd) == [true])
        #expect(advances.map(\.expectedOffset) == [2] && advances.map(\.nextOffset) == [2])
        #expect(!intake.hasChanges)
    }

    @Test mutating func `a partition that has records again is not at its end in the next commit of any partition`()
        throws
    {
        intake.assign(0, stored: PartitionProgress(partition: 0, nextOffset: 5, isAtEnd: true))
        intake.assign(1, stored: PartitionProgress(partition: 1, nextOffset: 5))
        #expect(!intake.hasChanges)
        _ = try take(screenView("home", "a", second: 0), partition: 1, offset: 5)
        let advances = intake.takeAdvances()
        #expect(advances.map(\.partition) == [0, 1] && advances.map(\.isAtEnd) == [false, false])
        #expect(advances.map(\.nextOffset) == [5, 6])
    }

    @Test mutating func `a partition whose first offset is not known has nothing to commit before a record is read`() {
        intake.assign(1, stored: nil, isBegun: false)
        #expect(intake.takeAdvances().map(\.partition) == [0])
        #expect(!intake.hasChanges)
        _ = take("no event", partition: 1, offset: 100)
        let advances = intake.takeAdvances()
        #expect(advances.map(\.nextOffset) == [101] && advances.map(\.quality) == [Quality(deadLetters: 1)])
    }

    @Test mutating func `a commit has the last record of each partition`() throws {
        let mark = RecordMark(offset: 0, timestamp: 1, checksum: 2)
        _ = try take(screenView("home", "a", second: 0), offset: 0)
        intake.setLastRecord(mark, of: 0)
        intake.setLastRecord(mark, of: 9)
        #expect(intake.takeAdvances().map(\.lastRecord) == [mark])
    }
}
