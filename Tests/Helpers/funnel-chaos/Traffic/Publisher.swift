import RDKafka
import Logging

/// A producer that publishes its traffic at a given rate, and retries until Kafka has everything.
struct Publisher: Sendable {
    let bootstrapServers: String
    let topic: String
    let book: SentBook
    let openPartitions: OpenPartitions
    let logger: Logger

    /// Publishes the chunks. After a delay by a broker that was down, it does not catch up.
    func publish(_ traffic: Traffic, chunks: Int, every interval: Duration) async throws {
        var (traffic, producer) = (traffic, try makeProducer())
        var next = ContinuousClock.now
        for _ in 0..<chunks {
            try await Task.sleep(until: next, clock: .continuous)
            next = max(next + interval, .now)
            let records = try traffic.nextChunk(partitions: openPartitions.count)
            book.note(records)
            var messages = records.map(\.message)
            while true {
                let results = await producer.send(messages, to: topic)
                messages = zip(messages, results).compactMap { message, result in
                    if case .failure = result { message } else { nil }
                }
                if messages.isEmpty { break }
                try Task.checkCancellation()
                // The broker may have them nevertheless; then they are repeats, which count once.
                book.noteRedelivery(of: messages.count)
                await producer.close(within: .seconds(1))
                producer = try makeProducer()
            }
        }
        await producer.close(within: .seconds(60))
    }

    private func makeProducer() throws -> Producer {
        let configuration: KafkaConfiguration = [
            "bootstrap.servers": bootstrapServers, "reconnect.backoff.ms": "20", "reconnect.backoff.max.ms": "200",
            "topic.metadata.refresh.interval.ms": "500", "message.timeout.ms": "30000",
        ]
        return try Producer(configuration: configuration, logger: logger)
    }
}
