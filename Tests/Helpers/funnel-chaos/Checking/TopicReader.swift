import RDKafka
import Logging

/// Reads a topic from its first record to the end that it has when the reading starts.
struct TopicReader {
    let bootstrapServers: String
    let topic: String
    let partitions: Int
    let logger: Logger

    /// Calls `body` with each record, in order within each partition. Blocks the thread.
    ///
    /// - Throws: ``ChaosFailure`` if the broker has deleted records; `KafkaError`.
    func read(_ body: (borrowing ConsumerRecord) -> Void) throws {
        let configuration = KafkaConfiguration(bootstrapServers: bootstrapServers)
        let consumer = try Consumer(configuration: configuration, groupID: nil, logger: logger)
        defer { consumer.close() }
        let places = (0..<Int32(partitions)).map { TopicPartition(topic: topic, partition: $0) }
        var open: Set<TopicPartition> = []
        for place in places {
            let watermarks = try consumer.watermarks(of: place, within: .seconds(60))
            // The mock cluster keeps 5 MiB per partition.
            guard watermarks.low == 0 else {
                throw ChaosFailure("\(place) has lost its first records: use a shorter --duration or a lower --rate")
            }
            if watermarks.high > 0 { open.insert(place) }
        }
        try consumer.assign(places.map { PartitionStart($0, at: .earliest) })
        let deadline = ContinuousClock.now + .seconds(120)
        while !open.isEmpty {
            guard ContinuousClock.now < deadline else { throw ChaosFailure("cannot read \(open) to their ends") }
            let poll = consumer.poll(timeout: .milliseconds(100))
            poll.records.forEach { body($0) }
            for event in poll.events {
                switch event {
                case .endOfPartition(let place, _): open.remove(place)
                case .fatal(let error): throw error
                default: logger.debug("\(event)")
                }
            }
        }
    }
}
