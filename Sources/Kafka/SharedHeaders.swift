import CRDKafka

/// Headers that many records have, in librdkafka's form. Confined to the producer's thread.
///
/// They are not given to `rd_kafka_produceva` one by one (`RD_KAFKA_VTYPE_HEADER`): before 2.12 librdkafka frees those twice
/// where it refuses a record because its topic does not exist or may not be written
/// ([#4628](https://github.com/confluentinc/librdkafka/pull/4628)).
final class SharedHeaders {
    private let pointer: OpaquePointer?

    init(_ headers: [KafkaHeader]) {
        pointer = rd_kafka_headers_new(headers.count)
        for header in headers {
            // One byte more than are counted: an empty value needs an address, since no address is null.
            let value = header.value.map { $0 + [0] }
            rd_kafka_header_add(pointer, header.name, header.name.utf8.count, value, header.value?.count ?? 0)
        }
    }

    deinit {
        rd_kafka_headers_destroy(pointer)
    }

    /// A copy for one record, which librdkafka owns as soon as it has taken the record.
    func copy() -> OpaquePointer? {
        rd_kafka_headers_copy(pointer)
    }
}
