import RDKafka
import Logging

/// Compares the dead-letter topic with the records that are not events: none may be missing, and no valid event may be
/// there. After a crash a dead letter may be there twice.
struct DeadLetterCheck {
    private(set) var letterCount = 0
    private(set) var differences: [String] = []

    /// Reads the topic. Blocks the thread.
    init(_ truth: TopicTruth, in topic: String, of bootstrapServers: String, logger: Logger) throws {
        var places: Set<String> = []
        var count = 0
        let reader = TopicReader(bootstrapServers: bootstrapServers, topic: topic, partitions: 1, logger: logger)
        try reader.read { record in
            let headers = record.headers()
            func text(_ name: String) -> String {
                headers.first { $0.name == name }?.value.map { String(decoding: $0, as: UTF8.self) } ?? ""
            }
            places.insert("\(text("dlq.partition"))@\(text("dlq.offset"))")
            count += 1
        }
        letterCount = count
        differences =
            truth.invalidPlaces.subtracting(places).sorted().map { "dead letter \($0) is missing" }
            + places.subtracting(truth.invalidPlaces).sorted().map { "dead letter \($0) is an event" }
    }
}
