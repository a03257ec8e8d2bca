import CRDKafka

/// Headers of many records, in librdkafka's form. Confined to the producer's thread.
///
/// librdkafka needs a separate list for each record, and frees it with the record. Creating and freeing the lists took
/// as long as all other work of this thread. So this class takes the lists back with the delivery reports, and uses
/// them again.
///
/// The headers are not passed to `rd_kafka_produceva` one by one (`RD_KAFKA_VTYPE_HEADER`): before 2.12 librdkafka
/// frees those twice if it refuses a record because its topic does not exist or may not be written
/// ([#4628](https://github.com/confluentinc/librdkafka/pull/4628)).
final class SharedHeaders {
    /// The maximum number of unused lists to keep: as many as librdkafka sends at once (`batch.num.messages`).
    static let spareLimit = 10_000

    private let headers: [KafkaHeader]
    private let pointer: OpaquePointer?
    private var spare: [OpaquePointer] = []

    init(_ headers: [KafkaHeader]) {
        self.headers = headers
        pointer = rd_kafka_headers_new(headers.count)
        for header in headers {
            // One byte more than the count, because an empty value needs an address: a null address is a null value.
            let value = header.value.map { $0 + [0] }
            rd_kafka_header_add(pointer, header.name, header.name.utf8.count, value, header.value?.count ?? 0)
        }
    }

    deinit {
        spare.forEach(rd_kafka_headers_destroy)
        rd_kafka_headers_destroy(pointer)
    }

    /// Whether the headers are equal to these.
    func equal(_ headers: [KafkaHeader]) -> Bool { self.headers == headers }

    /// A list for one record. librdkafka owns it as soon as it has accepted the record.
    func take() -> OpaquePointer? {
        spare.popLast() ?? rd_kafka_headers_copy(pointer)
    }

    /// Takes back a list of a record that librdkafka has refused.
    func putBack(_ list: OpaquePointer) {
        if spare.count < Self.spareLimit { spare.append(list) } else { rd_kafka_headers_destroy(list) }
    }

    /// Takes back the list of a delivered record, which librdkafka would free.
    func takeBack(from message: UnsafePointer<rd_kafka_message_t>) {
        guard spare.count < Self.spareLimit else { return }
        var list: OpaquePointer?
        // The message is constant because librdkafka only lends the report. librdkafka does not free a detached list.
        guard
            rd_kafka_message_detach_headers(UnsafeMutablePointer(mutating: message), &list)
                == RD_KAFKA_RESP_ERR_NO_ERROR,
            let list
        else { return }
        spare.append(list)
    }
}
