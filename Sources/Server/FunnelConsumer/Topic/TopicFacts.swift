/// What a consumer has found out of a topic's configuration.
struct TopicFacts: Sendable, Hashable {
    /// What to warn of.
    enum Warning: Sendable, Hashable {
        /// The records keep the producers' timestamps.
        case producersTimestamps
        /// Kafka deletes all but the last record of each key.
        case compaction
    }

    /// Whether the topic's configuration was read.
    private(set) var isConfigurationKnown = false
    /// Whether it is known who sets the timestamps of the records.
    private(set) var isTimestampTypeKnown = false

    /// Learns a topic's configuration.
    ///
    /// - Returns: what to warn of, each once.
    mutating func learn(_ configuration: [String: String]) -> Set<Warning> {
        var warnings: Set<Warning> = []
        isConfigurationKnown = true
        if let type = configuration["message.timestamp.type"] {
            warnings.formUnion(learn(isCreateTime: type == "CreateTime" && !Self.isBounded(configuration)))
        }
        if Self.isCompacted(configuration) { warnings.insert(.compaction) }
        return warnings
    }

    /// Learns from a record who sets the timestamps, unless that is known.
    mutating func learn(isCreateTime: Bool) -> Set<Warning> {
        guard !isTimestampTypeKnown else { return [] }
        isTimestampTypeKnown = true
        return isCreateTime ? [.producersTimestamps] : []
    }

    /// Whether the broker refuses records whose timestamp is more than a day ahead of its own clock. Kafka has one setting for
    /// both directions before 3.6, and one for each since.
    static func isBounded(_ configuration: [String: String]) -> Bool {
        let names = ["message.timestamp.after.max.ms", "message.timestamp.difference.max.ms"]
        return names.contains { configuration[$0].flatMap(Int64.init).map { $0 <= 86_400_000 } ?? false }
    }

    /// Whether a topic's configuration lets Kafka compact it: `compact`, or `compact,delete`.
    static func isCompacted(_ configuration: [String: String]) -> Bool {
        let policies = configuration["cleanup.policy"]?.split(separator: ",") ?? []
        return policies.contains { $0.filter { $0 != " " } == "compact" }
    }
}
