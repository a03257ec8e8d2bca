import Foundation
import FunnelCommandSupport
import RDKafka

extension DemoBroker {
    /// Writes the topic's events to a file, one a line, so that they can be counted without a broker.
    ///
    /// The invalid records stay out: without the time of its record, an event of the year 2100 would be a valid one.
    func saveEvents(to path: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // A consumer blocks, and must not hold up the cooperative pool.
            let thread = Thread { continuation.resume(with: Result { try saveAll(to: path) }) }
            thread.name = "funnel-demo.events"
            thread.start()
        }
    }

    private func saveAll(to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CommandFailure(.ioError, "cannot write \(path): give another path with --keep") }
        defer { try? file.close() }
        let consumer = try Consumer(
            configuration: KafkaConfiguration(bootstrapServers: bootstrapServers),
            groupID: nil,
            logger: logger
        )
        defer { consumer.close() }
        var open = Set((0..<Int32(partitions)).map { TopicPartition(topic: Self.topic, partition: $0) })
        try consumer.assign(open.map { PartitionStart($0, at: .earliest) })
        let deadline = ContinuousClock.now + .seconds(60)
        while !open.isEmpty {
            guard ContinuousClock.now < deadline else {
                throw CommandFailure(.unavailable, "the embedded broker does not deliver the topic's events")
            }
            let poll = consumer.poll(timeout: .milliseconds(100))
            var lines = Data()
            poll.records.forEach { record in
                guard let value = record.value, record.key.map({ !$0.elementsEqual(InvalidRecords.key) }) ?? true else {
                    return
                }
                lines.append(contentsOf: value)
                lines.append(UInt8(ascii: "\n"))
            }
            try file.write(contentsOf: lines)
            for case .endOfPartition(let partition, _) in poll.events { open.remove(partition) }
        }
    }
}
