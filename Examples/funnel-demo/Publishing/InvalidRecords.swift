import RDKafka

/// Records that no consumer should trip over: they go to the dead-letter topic.
enum InvalidRecords {
    static let all = [
        // Somebody tried out a topic by hand.
        message("hello?"),
        // Somebody forgot who it was.
        message(
            #"{"specversion":"1.0","id":"1","source":"app://com.example.flow-funnels-demo","type":"screen_view","#
                + #""time":"2024-02-29T12:00:00Z","data":{"screen":"home"}}"#
        ),
        // A phone whose clock is wrong.
        message(
            #"{"specversion":"1.0","id":"2","source":"app://com.example.flow-funnels-demo","type":"screen_view","#
                + #""time":"2100-01-01T00:00:00Z","data":{"install_id":"tomorrow","screen":"home"}}"#
        ),
    ]

    private static func message(_ value: String) -> ProducerMessage {
        ProducerMessage(key: Array("demo".utf8), value: Array(value.utf8))
    }
}
