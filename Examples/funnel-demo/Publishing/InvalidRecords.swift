import RDKafka

/// Invalid records. The consumer writes them to the dead-letter topic.
enum InvalidRecords {
    /// The key that only these records have.
    static let key = Array("demo".utf8)

    static let all = [
        // Not JSON, as from a manual test of the topic.
        message("hello?"),
        // An event without an install id.
        message(
            #"{"specversion":"1.0","id":"1","source":"app://com.example.flow-funnels-demo","type":"screen_view","#
                + #""time":"2024-02-29T12:00:00Z","data":{"screen":"home"}}"#
        ),
        // An event of a phone with a wrong clock.
        message(
            #"{"specversion":"1.0","id":"2","source":"app://com.example.flow-funnels-demo","type":"screen_view","#
                + #""time":"2100-01-01T00:00:00Z","data":{"install_id":"tomorrow","screen":"home"}}"#
        ),
    ]

    private static func message(_ value: String) -> ProducerMessage {
        ProducerMessage(key: key, value: Array(value.utf8))
    }
}
