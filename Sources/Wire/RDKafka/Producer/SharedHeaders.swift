import CRDKafka

/// Headers that many records have, in librdkafka's form. Confined to the producer's thread.
///
/// Each record needs a list of its own, which librdkafka frees with it. Making and freeing them took as long as all else
/// that this thread does, so the lists come back with the delivery reports and are used again.
///
/// They are not given to `rd_kafka_produceva` one by one (`RD_KAFKA_VTYPE_HEADER`): before 2.12 librdkafka frees those twice
/// where it refuses a record because its topic does not exist or may not be written
/// ([#4628](https://github.com/confluentinc/librdkafka/pull/4628)).
final class SharedHeaders {
    /// At most so many lists wait to be used again: as many as librdkafka sends at once (`batch.num.messages`).
    static let spareLimit = 10_000

    private let headers: [KafkaHeader]
    private let pointer: OpaquePointer?
    private var spare: [OpaquePointer] = []

    init(_ headers: [KafkaHeader]) {
        self.headers = headers
        pointer = rd_kafka_headers_new(headers.count)
        for header in headers {
            // One byte more than are counted: an empty value needs an address, since no address is null.
            let value = header.value.map { $0 + [0] }
            rd_kafka_header_add(pointer, header.name, header.name.utf8.count, value, header.value?.count ?? 0)
        }
    }

    deinit {
        spare.forEach(rd_kafka_headers_destroy)
        rd_kafka_headers_destroy(pointer)
    }

    /// Whether these are they.
    func are(_ headers: [KafkaHeader]) -> Bool { self.headers == headers }

    /// A list for one record, which librdkafka owns as soon as it has taken the record.
    func take() -> OpaquePointer? {
        spare.popLast() ?? rd_kafka_headers_copy(pointer)
    }

    /// Takes a list back that librdkafka has not taken.
    func putBack(_ list: OpaquePointer) {
        if spare.count < Self.spareLimit { spare.append(list) } else { rd_kafka_headers_destroy(list) }
    }

    /// Takes the list of a record back that librdkafka is about to free.
    func takeBack(from message: UnsafePointer<rd_kafka_message_t>) {
        guard spare.count < Self.spareLimit else { return }
        var list: OpaquePointer?
        // A delivery report's message is constant because the report is only lent; what is taken from it is left out when
        // it is freed.
        guard
            rd_kafka_message_detach_headers(UnsafeMutablePointer(mutating: message), &list)
                == RD_KAFKA_RESP_ERR_NO_ERROR,
            let list
        else { return }
        spare.append(list)
    }
}
