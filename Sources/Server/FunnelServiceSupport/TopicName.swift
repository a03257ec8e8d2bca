/// The rule for names of Kafka's topics.
package enum TopicName {
    /// Whether Kafka allows a name for a topic.
    package static func isValid(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9._-]{1,249}/) != nil && name != "." && name != ".."
    }

    /// What ``isValid(_:)`` allows, for errors.
    package static let expectation = "expected up to 249 letters, digits, '.', '_' and '-'"
}
