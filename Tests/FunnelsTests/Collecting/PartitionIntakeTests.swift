import FlowEvents
import Testing

@testable import Funnels

@Suite struct PartitionIntakeTests {
    // `#expect` cannot contain a mutating call.
    private func admit(
        _ intake: inout PartitionIntake,
        _ time: Timestamp,
        _ offset: Int64,
        recordTimestamp: Timestamp? = nil
    ) -> Bool {
        intake.admit(time: time, recordTimestamp: recordTimestamp, offset: offset)
    }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test func `an event is late when it is before the watermark less the allowed lateness`() {
        var intake = PartitionIntake(partition: 0, stored: nil, allowedLateness: 100)
        #expect(admit(&intake, time(1000), 0) == true)
        #expect(admit(&intake, time(900), 1) == true)
        #expect(admit(&intake, time(899), 2) == false)
        #expect(intake.progress.quality == Quality(events: 3, late: 1))
        #expect(intake.progress.watermark == time(1000))
    }

    @Test func `an event ahead of its record moves the watermark to the record's timestamp only`() {
        var intake = PartitionIntake(partition: 0, stored: nil, allowedLateness: 100)
        #expect(admit(&intake, time(9000), 0, recordTimestamp: time(1000)) == true)
        #expect(intake.progress.watermark == time(1000))
        #expect(admit(&intake, time(900), 1, recordTimestamp: time(1000)) == true)
        #expect(admit(&intake, time(899), 2, recordTimestamp: time(1000)) == false)
        // A record that arrives late has a later timestamp than its event's time.
        #expect(admit(&intake, time(1200), 3, recordTimestamp: time(5000)) == true)
        #expect(intake.progress.watermark == time(1200))
        // An old timestamp moves nothing back.
        #expect(admit(&intake, time(1300), 4, recordTimestamp: time(3)) == true)
        #expect(intake.progress.watermark == time(1200))
        #expect(intake.progress.quality == Quality(events: 5, late: 1))
    }

    @Test func `an event before the floor is late, and moves the watermark all the same`() {
        var intake = PartitionIntake(partition: 0, stored: nil, horizon: time(1000), allowedLateness: 100)
        #expect(admit(&intake, time(999), 0) == false)
        #expect(intake.progress.watermark == time(999))
        #expect(admit(&intake, time(1000), 1) == true)
        #expect(admit(&intake, time(1150), 2) == true)
        // By now the watermark says more than the floor.
        #expect(admit(&intake, time(1049), 3) == false)
        #expect(intake.takeChanges().progress.floor == time(1000))
        #expect(intake.progress.quality == Quality())
    }

    @Test func `the floor is the one of the store, and a horizon above what the watermark admits holds too`() {
        let stored = PartitionProgress(partition: 0, nextOffset: 7, floor: time(1000), watermark: time(3000))
        // The lateness is greater than it was when the horizon was reached.
        var intake = PartitionIntake(partition: 0, stored: stored, horizon: time(2500), allowedLateness: 1000)
        #expect(admit(&intake, time(2499), 7) == false)
        #expect(admit(&intake, time(2500), 8) == true)
        #expect(intake.progress.floor == time(1000))
        var without = PartitionIntake(partition: 0, stored: stored, allowedLateness: 5000)
        #expect(admit(&without, time(999), 7) == false)
        #expect(admit(&without, time(1000), 8) == true)
    }

    @Test func `the watermark goes on where the store stands`() {
        let stored = PartitionProgress(
            partition: 3,
            nextOffset: 7,
            watermark: time(5000),
            quality: Quality(events: 7)
        )
        var intake = PartitionIntake(partition: 3, stored: stored, allowedLateness: 0)
        #expect(admit(&intake, time(4999), 7) == false)
        let (progress, expected) = intake.takeChanges()
        #expect(expected == 7)
        #expect(progress.nextOffset == 8)
        #expect(progress.quality == Quality(events: 1, late: 1))
        #expect(!intake.hasChanges)
        let next = intake.takeChanges()
        #expect(next.expectedOffset == 8)
    }

    @Test func `a lateness without bound lets the earliest time count`() {
        var intake = PartitionIntake(partition: 0, stored: nil, allowedLateness: .max)
        #expect(admit(&intake, time(-62_167_219_200_000), 0) == true)
        #expect(admit(&intake, time(-62_167_219_200_001), 1) == true)
    }

    @Test func `a dead letter moves the offset and nothing else`() {
        var intake = PartitionIntake(partition: 0, stored: nil, allowedLateness: 0)
        intake.addDeadLetter(offset: 41)
        #expect(intake.progress.nextOffset == 42)
        #expect(intake.progress.watermark == nil)
        #expect(intake.progress.quality == Quality(deadLetters: 1))
    }

    @Test func `what was deleted unread is counted, and what is passed over is not`() {
        let stored = PartitionProgress(partition: 0, nextOffset: 7)
        var intake = PartitionIntake(partition: 0, stored: stored, allowedLateness: 0)
        intake.skip(to: 10)
        intake.skipUnread(to: 9)
        #expect(intake.progress == PartitionProgress(partition: 0, nextOffset: 10))
        intake.skipUnread(to: 14)
        #expect(intake.progress == PartitionProgress(partition: 0, nextOffset: 14, quality: Quality(unread: 4)))
        _ = intake.takeChanges()
        #expect(intake.progress.quality == Quality())
    }

    @Test func `that a partition was begun is something that the store does not have yet`() {
        var intake = PartitionIntake(partition: 0, stored: nil, allowedLateness: 0)
        #expect(intake.hasChanges)
        _ = intake.takeChanges()
        #expect(!intake.hasChanges)
    }

    @Test func `the first valid event of a partition that lost its beginning is noted once, also by a later consumer`()
    {
        var first = PartitionIntake(partition: 0, stored: nil, allowedLateness: 0)
        first.begin(at: 40)
        first.addDeadLetter(offset: 40)
        #expect(takeFirstTime(&first) == nil)
        // The first consumer commits, and ends before it has read a valid event.
        var second = PartitionIntake(partition: 0, stored: first.progress, allowedLateness: 0)
        #expect(admit(&second, time(7), 41) && admit(&second, time(8), 42))
        #expect(takeFirstTime(&second) == time(7))
        #expect(takeFirstTime(&second) == nil)
        var third = PartitionIntake(partition: 0, stored: second.progress, allowedLateness: 0)
        #expect(admit(&third, time(9), 43))
        #expect(takeFirstTime(&third) == nil)
    }

    @Test
    func `the first event that counts after deleted records is noted, and none after records that cannot be read`() {
        let stored = PartitionProgress(partition: 0, nextOffset: 7, watermark: time(50), quality: Quality(events: 7))
        var intake = PartitionIntake(partition: 0, stored: stored, firstOffset: 9, allowedLateness: 10)
        intake.skipDeleted(to: 9)
        #expect(!admit(&intake, time(39), 9) && admit(&intake, time(45), 10) && admit(&intake, time(60), 11))
        #expect(takeFirstTime(&intake) == time(45))
        intake.skipDeleted(to: 12)
        intake.skipUnread(to: 14)
        #expect(admit(&intake, time(61), 14))
        #expect(takeFirstTime(&intake) == nil)
        #expect(intake.progress.quality == Quality(events: 4, late: 1, unread: 4))
    }

    @Test func `no event of a partition that has its beginning is noted`() {
        var first = PartitionIntake(partition: 0, stored: nil, allowedLateness: 0)
        first.begin(at: 0)
        first.addDeadLetter(offset: 0)
        var second = PartitionIntake(partition: 0, stored: first.progress, allowedLateness: 0)
        #expect(admit(&second, time(7), 1))
        #expect(takeFirstTime(&second) == nil)
    }

    @Test(arguments: [(0, 0, false), (0, 1, true), (1, 0, true), (nil, 0, true)] as [(Int64?, Int64, Bool)])
    func `skipped offsets at the beginning are lost records, unless the topic still has them`(
        firstOffset: Int64?,
        unread: Int64,
        isLost: Bool
    ) {
        var stored = PartitionProgress(partition: 0, nextOffset: 3)
        stored.quality.unread = unread
        var intake = PartitionIntake(partition: 0, stored: stored, firstOffset: firstOffset, allowedLateness: 0)
        #expect(admit(&intake, time(7), 3))
        #expect((takeFirstTime(&intake) == time(7)) == isLost)
    }

    private func takeFirstTime(_ intake: inout PartitionIntake) -> Timestamp? { intake.takeFirstTime() }
}
