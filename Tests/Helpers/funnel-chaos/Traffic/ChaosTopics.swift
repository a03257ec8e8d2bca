/// The names of the topics and of the group.
enum ChaosTopics {
    static let events = "app-events"
    static let deadLetters = "app-events.dlq"
    static let group = "funnel-consumer"
}
