import CRDKafka
import Foundation

/// Hands records to librdkafka, with one reused array of arguments. Confined to the producer's thread.
final class RecordWriter {
    enum Outcome {
        /// librdkafka has the requested number of records, or the rest of the batch.
        case handedOver
        case queueFull
    }

    /// The indices of the arguments. The headers are the last, so that they can be left out.
    private enum Argument {
        static let topic = 0
        static let flags = 1
        static let partition = 2
        static let key = 3
        static let value = 4
        static let timestamp = 5
        static let opaque = 6
        static let headers = 7
        static let count = 8
    }

    private let handle: ClientHandle
    private let ledger: DeliveryLedger
    private var topics: [String: OpaquePointer] = [:]
    // The headers of the last record that had any. Usually the next record has the same.
    private var headers: SharedHeaders?
    private var arguments = [rd_kafka_vu_t](repeating: rd_kafka_vu_t(), count: Argument.count)

    init(handle: ClientHandle, ledger: DeliveryLedger) {
        self.handle = handle
        self.ledger = ledger
        arguments[Argument.topic].vtype = RD_KAFKA_VTYPE_RKT
        arguments[Argument.flags].vtype = RD_KAFKA_VTYPE_MSGFLAGS
        // librdkafka neither copies nor frees the values: the batch owns them, and it outlives their delivery.
        arguments[Argument.flags].u.i = 0
        arguments[Argument.partition].vtype = RD_KAFKA_VTYPE_PARTITION
        arguments[Argument.key].vtype = RD_KAFKA_VTYPE_KEY
        arguments[Argument.value].vtype = RD_KAFKA_VTYPE_VALUE
        arguments[Argument.timestamp].vtype = RD_KAFKA_VTYPE_TIMESTAMP
        arguments[Argument.opaque].vtype = RD_KAFKA_VTYPE_OPAQUE
        arguments[Argument.headers].vtype = RD_KAFKA_VTYPE_HEADERS
    }

    deinit {
        topics.values.forEach(rd_kafka_topic_destroy)
    }

    /// Hands over at most `limit` records, beginning at the batch's cursor, and moves the cursor.
    ///
    /// If librdkafka refuses a record for another reason than a full queue, the record fails and the next one follows.
    func write(_ batch: InFlightBatch, limit: Int) -> Outcome {
        // Not nil before every record has a result, and these were not even handed over.
        guard let bytes = batch.bytes?.contents else { return .handedOver }
        guard let topic = topic(batch.topic) else {
            let code = rd_kafka_last_error()
            ledger.refuseRest(of: batch, code: code)
            return .handedOver
        }
        arguments[Argument.topic].u.rkt = topic
        // One timestamp for all records: librdkafka would read the clock for each.
        let now = Int64(Date.now.timeIntervalSince1970 * 1000)
        var headers: SharedHeaders?
        var headerSet: Int32 = -1
        let end = min(batch.cursor + limit, batch.count)
        while batch.cursor < end {
            let entry = batch.entries[batch.cursor]
            if entry.headers != headerSet {
                headerSet = entry.headers
                headers = headerSet < 0 ? nil : sharedHeaders(batch.headerSets[Int(headerSet)])
                if let headers { batch.keep(headers) }
            }
            arguments[Argument.timestamp].u.i64 = entry.timestamp == 0 ? now : entry.timestamp
            switch write(entry, headers, slot: batch.slot(batch.cursor), bytes: bytes) {
            case RD_KAFKA_RESP_ERR_NO_ERROR: ledger.handedOver()
            case RD_KAFKA_RESP_ERR__QUEUE_FULL: return .queueFull
            case let code: ledger.refuse(batch.cursor, of: batch, code: code)
            }
            batch.cursor += 1
        }
        return .handedOver
    }

    private func write(
        _ entry: ProducerBatch.Entry,
        _ headers: SharedHeaders?,
        slot: UnsafeMutablePointer<InFlightBatch.Slot>,
        bytes: UnsafeRawBufferPointer
    ) -> rd_kafka_resp_err_t {
        arguments.withUnsafeMutableBufferPointer { arguments in
            // librdkafka's pointers are mutable, but it never changes what it sends.
            let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? UnsafeRawPointer(slot))
            let keyCount = max(entry.keyCount, 0)
            arguments[Argument.partition].u.i32 = entry.partition
            arguments[Argument.key].u.mem.ptr = entry.keyCount < 0 ? nil : base + entry.start
            arguments[Argument.key].u.mem.size = keyCount
            arguments[Argument.value].u.mem.ptr = entry.valueCount < 0 ? nil : base + entry.start + keyCount
            arguments[Argument.value].u.mem.size = max(entry.valueCount, 0)
            arguments[Argument.opaque].u.ptr = UnsafeMutableRawPointer(slot)
            let list = headers?.take()
            arguments[Argument.headers].u.headers = list
            let count = list == nil ? Argument.headers : Argument.count
            slot.pointee.headers = headers.map { .passUnretained($0) }
            guard let error = rd_kafka_produceva(handle.pointer, arguments.baseAddress, count) else {
                return RD_KAFKA_RESP_ERR_NO_ERROR
            }
            defer { rd_kafka_error_destroy(error) }
            // librdkafka has not taken ownership of a refused record's list.
            if let list { headers?.putBack(list) }
            // After a fatal error every refusal has the code of that error; only the flag shows that the producer is
            // unusable.
            return rd_kafka_error_is_fatal(error) != 0 ? RD_KAFKA_RESP_ERR__FATAL : rd_kafka_error_code(error)
        }
    }

    private func sharedHeaders(_ wanted: [KafkaHeader]) -> SharedHeaders {
        if let headers, headers.equal(wanted) { return headers }
        let made = SharedHeaders(wanted)
        headers = made
        return made
    }

    private func topic(_ name: String) -> OpaquePointer? {
        if let known = topics[name] {
            return known
        }
        let topic = rd_kafka_topic_new(handle.pointer, name, nil)
        topics[name] = topic
        return topic
    }
}
