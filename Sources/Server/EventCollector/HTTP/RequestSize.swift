/// What a request holds in memory, for ``MemoryBudget``.
enum RequestSize {
    /// While the events of a body of `plain` bytes wait for Kafka: the body, its events, and librdkafka's copy.
    static func reserved(plain: Int) -> Int { 3 * plain }
}
