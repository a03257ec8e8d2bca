import KafkaTestSupport

/// The names of the topics and of the group.
struct ChaosTopics: Sendable {
    let events: String
    let deadLetters: String
    let group: String

    init(in kafka: TrialKafka) {
        events = kafka.name("app-events")
        deadLetters = kafka.name("app-events.dlq")
        group = kafka.name("funnel-consumer")
    }
}
