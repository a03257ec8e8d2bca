/// The names of one run.
enum ChaosTopics {
    static let events = "app-events"
    static let deadLetters = "app-events.dlq"
    static let group = "funnel-consumer"
}
