/// The rule for lists of brokers.
package enum BrokerList {
    /// Whether the text names a broker. librdkafka takes an empty list, and then waits for a broker that never comes.
    package static func isValid(_ list: String) -> Bool {
        list.contains { $0 != "," && !$0.isWhitespace }
    }

    /// What ``isValid(_:)`` allows, for errors.
    package static let expectation = "expected one or more brokers as HOST:PORT, separated by commas"
}

/// The rule for names of Kafka's topics.
package enum TopicName {
    /// Whether Kafka allows a name for a topic.
    package static func isValid(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9._-]{1,249}/) != nil && name != "." && name != ".."
    }

    /// What ``isValid(_:)`` allows, for errors.
    package static let expectation = "expected up to 249 letters, digits, '.', '_' and '-'"
}
