import FlowEventTestSupport
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import RDKafka
import Testing

@testable import FunnelConsumer

/// What a consumer does when its topic is replaced by another one while it reads.
@Suite(.waits, .timeLimit(.minutes(10))) struct TopicWatchTests {
    private let cluster: Cluster
    private let store = TemporaryStore()
    private let funnels: [Funnel]

    init() throws {
        cluster = try Cluster()
        funnels = try homeToPaywall()
    }

    private func run(exitsAtEnd: Bool) async throws {
        var options = cluster.options(funnels, exitsAtEnd: exitsAtEnd)
        options.topicCheckInterval = .milliseconds(50)
        try await FunnelConsumer(options: options, store: store, logger: silent).run()
    }

    @Test func `a running consumer ends where a record that was read before is another one now`() async throws {
        try await cluster.publish([screenView("home", "a", second: 0)])
        try await cluster.count(funnels, into: store)
        // The consumer cannot find out at its start, because the topic does not have that offset yet.
        try store.forgeMark { $0.offset = 5 }
        let mark = try store.progress()[0].lastRecord
        let end = Task { try await run(exitsAtEnd: false) }
        try await until("it has started") { try store.progress()[0].isAtEnd }
        try await cluster.publish((1...20).map { screenView("home", "b", second: $0) })
        let error = try await #require(throws: StoreError.self) { try await end.value }
        #expect(error.code == .otherData && error.description.contains("offset 5 of partition 0"))
        // No later start takes the store for that of this topic.
        #expect(try store.progress()[0].lastRecord == mark)
        let again = try await #require(throws: StoreError.self) { try await run(exitsAtEnd: true) }
        #expect(again == error)
    }

    @Test func `a topic that keeps its records is read on`() async throws {
        let end = Task { try await run(exitsAtEnd: false) }
        for batch in 1...10 as ClosedRange<Int64> {
            try await cluster.publish([screenView("home", "a", second: batch)])
            try await until("it is counted") { try store.eventCount() == batch }
        }
        end.cancel()
        try await end.value
        #expect(try store.progress()[0].lastRecord?.offset == 9)
    }

    @Test func `a comparison confirms what was read before it`() async throws {
        try await cluster.publish((0..<3).map { screenView("home", "a", second: $0) })
        try await cluster.count(funnels, into: store)
        let last = try #require(try store.progress()[0].lastRecord)
        let watch = TopicWatch(kafka: cluster.configuration, topic: Cluster.topic, logger: silent)
        var other = last
        other.checksum += 1
        for (confirmed, isReplaced) in [(last, false), (other, true)] {
            watch.begin([0: UnconfirmedRecord(confirmed: confirmed, last: last)])
            #expect(!watch.isIdle)
            var outcome: TopicWatch.Outcome?
            try await until("it has ended") {
                outcome = watch.poll()
                return outcome != nil
            }
            switch try #require(outcome) {
            case .replaced(let partition, let mark): #expect(isReplaced && partition == 0 && mark == other)
            case .confirmed(let marks): #expect(!isReplaced && marks == [0: last])
            }
        }
    }

    @Test func `records that were read are unconfirmed until the topic was seen to have an earlier one`() throws {
        func mark(_ offset: Int64) -> RecordMark { RecordMark(offset: offset, timestamp: offset, checksum: offset) }
        var intake = RecordIntake(funnels: funnels, allowedLateness: 0)
        let stored = PartitionProgress(partition: 1, nextOffset: 3, lastRecord: mark(2))
        intake.assign(0, stored: nil)
        intake.assign(1, stored: stored)
        #expect(intake.unconfirmedRecords.isEmpty)
        intake.setLastRecord(mark(7), of: 0)
        intake.setLastRecord(mark(4), of: 1)
        // The first record that is ever read of a partition has none before it.
        #expect(intake.unconfirmedRecords == [1: UnconfirmedRecord(confirmed: mark(2), last: mark(4))])
        intake.setLastRecord(mark(9), of: 0)
        intake.confirm(mark(4), of: 1)
        #expect(intake.unconfirmedRecords == [0: UnconfirmedRecord(confirmed: mark(7), last: mark(9))])
        // After a fence a partition starts again: the store's mark may be of another topic by then.
        intake.assign(0, stored: PartitionProgress(partition: 0, nextOffset: 10, lastRecord: mark(9)))
        intake.setLastRecord(mark(11), of: 0)
        #expect(intake.unconfirmedRecords[0] == UnconfirmedRecord(confirmed: mark(7), last: mark(11)))
        intake.revoke(0)
        #expect(intake.unconfirmedRecords.isEmpty)
    }
}
