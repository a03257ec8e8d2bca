import FlowTestSupport
import RDKafka
import Testing

@Suite(.waits) struct ConsumerGroupTests {
    @Test func `a second consumer takes over half, and each record counts once by the owner's offsets`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 2)
        for partition in 0..<2 {
            try await broker.publish(0..<100, to: "t", partition: Int32(partition))
        }
        try await onThread {
            let first = try broker.consumer(group: "g")
            try first.subscribe(to: ["t"])
            // The owner starts in the middle, whatever the group has committed.
            let alone = try first.read(answer: { _ in .offset(50) }) { records, _ in records.count >= 100 }
            #expect(alone.events.contains { $0.isAssigned })
            #expect(Set(alone.records.map(\.offset)) == Set(50..<100))

            let second = try broker.consumer(group: "g")
            try second.subscribe(to: ["t"])
            var answered: [[TopicPartition]] = [[], []]
            var records: [[Delivered]] = [[], []]
            var revoked = false
            let deadline = ContinuousClock.now + patience
            while answered.map(\.count) != [1, 1] || records.map(\.count) != [20, 20] {
                try #require(ContinuousClock.now < deadline, "\(answered) \(records.map(\.count))")
                for (index, consumer) in [first, second].enumerated() {
                    let poll = consumer.poll(timeout: .milliseconds(20))
                    poll.records.forEach {
                        records[index].append(Delivered(partition: $0.partition, offset: $0.offset, value: ""))
                    }
                    for event in poll.events {
                        switch event {
                        case .revoked(let partitions):
                            // Revoked partitions belong to the consumer until its next poll.
                            #expect(Set(partitions) == Set(consumer.assignment))
                            revoked = revoked || (index == 0 && partitions.count == 2)
                        case .assigned(let partitions):
                            // On a busy machine the group may need more than one round.
                            answered[index] = partitions
                            records[index] = []
                            try consumer.assign(partitions.map { PartitionStart($0, at: .offset(80)) })
                        default:
                            break
                        }
                    }
                }
            }
            #expect(revoked)
            for index in 0..<2 {
                #expect(records[index].map(\.offset) == Array(80..<100))
                #expect(Set(records[index].map(\.partition)) == Set(answered[index].map(\.partition)))
            }
            second.close()
            first.close()
        }
    }

    @Test func `an assignment is reported until it is answered and nothing is read before`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        try await broker.publish(0..<10, to: "t")
        try await onThread {
            let consumer = try broker.consumer(group: "g")
            try consumer.subscribe(to: ["t"])
            var reports = 0
            let deadline = ContinuousClock.now + patience
            while reports < 3 {
                try #require(ContinuousClock.now < deadline)
                let poll = consumer.poll(timeout: .milliseconds(50))
                #expect(poll.records.isEmpty)
                reports += poll.events.count { $0.isAssigned }
            }
            try consumer.assign("t", at: .offset(7))
            let read = try consumer.read { records, _ in records.count >= 3 }
            #expect(read.records.map(\.offset) == [7, 8, 9])
            consumer.close()
        }
    }
}
