import CRDKafka
import Foundation

/// Hands records to librdkafka with one reused list of arguments. Confined to the producer's thread.
final class RecordWriter {
    enum Outcome {
        /// As many records as asked for, or all of the batch.
        case handedOver
        case queueFull
    }

    /// The places of the arguments; the headers are left out where a record has none.
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
    // Those of the last record that had any: mostly the next one has the same.
    private var headers: SharedHeaders?
    private var arguments = [rd_kafka_vu_t](repeating: rd_kafka_vu_t(), count: Argument.count)

    init(handle: ClientHandle, ledger: DeliveryLedger) {
        self.handle = handle
        self.ledger = ledger
        arguments[Argument.topic].vtype = RD_KAFKA_VTYPE_RKT
        arguments[Argument.flags].vtype = RD_KAFKA_VTYPE_MSGFLAGS
        // Neither copied nor freed: the values are the batch's, which stays until all is delivered.
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

    /// Hands over at most `limit` records from the batch's cursor on, and moves it.
    ///
    /// A record that librdkafka refuses for another reason than a full queue has failed, and the next one follows.
    func write(_ batch: InFlightBatch, limit: Int) -> Outcome {
        // There until all is answered for, and this is not even handed over.
        guard let bytes = batch.bytes?.contents else { return .handedOver }
        guard let topic = topic(batch.topic) else {
            let code = rd_kafka_last_error()
            ledger.refuseRest(of: batch, code: code)
            return .handedOver
        }
        arguments[Argument.topic].u.rkt = topic
        // Once for all: librdkafka would ask the clock for each.
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
            // librdkafka's messages are not constant, but what is sent is never changed.
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
            // What was not taken is still ours.
            if let list { headers?.putBack(list) }
            // After a fatal error this one has its code, and only the mark tells that the producer is of no more use.
            return rd_kafka_error_is_fatal(error) != 0 ? RD_KAFKA_RESP_ERR__FATAL : rd_kafka_error_code(error)
        }
    }

    private func sharedHeaders(_ wanted: [KafkaHeader]) -> SharedHeaders {
        if let headers, headers.are(wanted) { return headers }
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
