import FlowTestSupport
import Foundation
import RDKafka
import Testing

@Suite(.waits) struct ConsumerTests {
    let partition = TopicPartition(topic: "t", partition: 0)

    @Test func `records come in order from the given offset, followed by the end of the partition`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        try await broker.publish(0..<500, to: "t")
        try await onThread {
            let consumer = try broker.consumer()
            try consumer.assign("t", at: .offset(200))
            let read = try consumer.read(maxRecords: 7) { _, events in !events.isEmpty }
            #expect(read.records.map(\.value) == (200..<500).map(String.init))
            #expect(read.records.map(\.offset) == Array(200..<500))
            guard case .endOfPartition(partition, 500) = read.events[0] else {
                Issue.record("not the end: \(read.events)")
                return
            }
            #expect(consumer.position(of: partition) == 500)
            #expect(consumer.lag == [partition: 0])
        }
    }

    @Test func `an offset that does not exist is reported and nothing is skipped`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        try await broker.publish(0..<10, to: "t")
        try await onThread {
            let consumer = try broker.consumer()
            try consumer.assign("t", at: .offset(1000))
            let read = try consumer.read { _, events in !events.isEmpty }
            #expect(read.records.isEmpty)
            guard case .offsetOutOfRange(partition, offset: 1000, let error) = read.events[0] else {
                Issue.record("another event: \(read.events)")
                return
            }
            #expect(error.code == .offsetOutOfRange && error.topic == "t" && error.partition == 0)
            // The owner decides how to continue.
            try consumer.seek([PartitionStart(partition, at: .earliest)])
            let more = try consumer.read { records, _ in records.count >= 10 }
            #expect(more.records.map(\.offset) == Array(0..<10))
        }
    }

    @Test func `records that were fetched before a new assignment never come after it`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        try await broker.publish(0..<5000, to: "t")
        let seed = UInt64.random(in: 0...UInt64.max)
        try await onThread {
            var random = SeededGenerator(seed: seed)
            let consumer = try broker.consumer(["fetch.message.max.bytes": "2000", "fetch.wait.max.ms": "5"])
            for round in 0..<90 {
                let start = Int64.random(in: 0..<4000, using: &random)
                let count = Int.random(in: 1...300, using: &random)
                if round.isMultiple(of: 3) {
                    try consumer.assign([])
                    try consumer.assign("t", at: .offset(start))
                } else if round % 3 == 1 {
                    try consumer.assign("t", at: .offset(start))
                } else {
                    try consumer.seek([PartitionStart(partition, at: .offset(start))])
                }
                let read = try consumer.read(maxRecords: count) { records, _ in records.count >= count }
                let offsets = read.records.map(\.offset)
                #expect(
                    offsets == (0..<Int64(offsets.count)).map { start + $0 },
                    "seed \(seed), round \(round)"
                )
            }
        }
    }

    // librdkafka ends the process where a partition is stopped twice at the same time.
    @Test func `assignments that follow each other at once do not stop a partition twice`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 4)
        try await broker.publish(0..<100, to: "t")
        try await onThread {
            for _ in 0..<20 {
                let consumer = try broker.consumer()
                let starts = (0..<4).map { PartitionStart(TopicPartition(topic: "t", partition: $0), at: .earliest) }
                try consumer.assign(starts)
                _ = try consumer.read { records, _ in !records.isEmpty }
                for _ in 0..<20 {
                    try consumer.seek(Array(starts[..<2]))
                    try consumer.assign(starts)
                }
                consumer.close()
            }
        }
    }

    @Test func `a pause before anything was read loses nothing`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        try await broker.publish(0..<1000, to: "t")
        try await onThread {
            let consumer = try broker.consumer()
            try consumer.assign("t", at: .offset(0))
            // The lag is known once librdkafka has fetched ahead on its own thread, which reports no event.
            let deadline = ContinuousClock.now + patience
            while consumer.lag.isEmpty {
                try #require(ContinuousClock.now < deadline)
                Thread.sleep(forTimeInterval: 0.001)
            }
            try consumer.pause([partition])
            #expect(consumer.poll(timeout: .milliseconds(50)).records.isEmpty)
            try consumer.resume([partition])
            let read = try consumer.read { records, _ in records.count >= 1000 }
            #expect(read.records.map(\.offset) == Array(0..<1000))
        }
    }

    @Test func `a pause between records loses and repeats nothing`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        try await broker.publish(0..<1000, to: "t")
        try await onThread {
            let consumer = try broker.consumer()
            try consumer.assign("t", at: .earliest)
            var offsets: [Int64] = []
            while offsets.count < 1000 {
                let some = min(100, 1000 - offsets.count)
                offsets += try consumer.read(maxRecords: some) { records, _ in records.count >= some }.records
                    .map(\.offset)
                try consumer.pause([partition])
                #expect(consumer.poll(timeout: .milliseconds(5)).records.isEmpty)
                try consumer.resume([partition])
                try consumer.resume([partition])
            }
            #expect(offsets.prefix(1000) == ArraySlice(0..<1000))
        }
    }

    @Test func `the cluster's id, the watermarks and the group's offsets can be requested`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 2)
        try await broker.publish(0..<3, to: "t", partition: 1)
        try await onThread {
            let consumer = try broker.consumer(group: "g")
            let second = TopicPartition(topic: "t", partition: 1)
            #expect(try !consumer.clusterID(within: patience).isEmpty)
            #expect(try consumer.watermarks(of: second, within: patience) == Watermarks(low: 0, high: 3))
            #expect(try consumer.watermarks(of: partition, within: patience).isEmpty)
            #expect(try consumer.committedOffsets(of: [second], within: patience).isEmpty)
            try consumer.commit([second: 2], within: patience)
            #expect(try consumer.committedOffsets(of: [partition, second], within: patience) == [second: 2])
        }
    }

    @Test func `a poll can be woken from another thread`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let consumer = try broker.consumer()
        let waker = consumer.waker
        let start = ContinuousClock.now
        Thread.detachNewThread { waker.wake() }
        while consumer.poll(timeout: patience).events.contains(where: { _ in true }) {}
        #expect(ContinuousClock.now - start < patience)
    }

    @Test func `calls that do not fit the assignment are refused`() throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let consumer = try broker.consumer()
        #expect(throws: KafkaError.self) { try consumer.seek([PartitionStart(partition, at: .earliest)]) }
        #expect(throws: KafkaError.self) { try consumer.pause([partition]) }
        #expect(throws: KafkaError.self) { try consumer.assign("t", at: .offset(-5)) }
        consumer.close()
        #expect(throws: KafkaError.self) { try consumer.assign("t", at: .earliest) }
    }

    @Test func `a consumer that is woken while it closes leaves its group`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let lines = LogLines()
        let logger = lines.logger
        for round in 0..<20 {
            let configuration = broker.configuration()
            try await onThread {
                let consumer = try Consumer(configuration: configuration, groupID: "g\(round)", logger: logger)
                try consumer.subscribe(to: ["t"])
                _ = consumer.poll(timeout: .milliseconds(20))
                let (waker, isClosed) = (consumer.waker, Flag())
                Thread.detachNewThread { while !isClosed.isRaised { waker.wake() } }
                consumer.close()
                isClosed.raise()
            }
        }
        #expect(!lines.contains("did not close cleanly"))
    }
}

extension ConsumerEvent {
    var isUnreachableBroker: Bool {
        if case .error(let error) = self { [.allBrokersDown, .transport].contains(error.code) } else { false }
    }
    var isTopicUnavailable: Bool { if case .topicUnavailable = self { true } else { false } }
    var isAssigned: Bool { if case .assigned(let partitions) = self { !partitions.isEmpty } else { false } }
    var isRevoked: Bool { if case .revoked = self { true } else { false } }
}

/// SplitMix64, so that a failure can be repeated from its seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
