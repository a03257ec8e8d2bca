import FlowEvents
import RDKafka

/// An invalid record to send to the dead-letter topic: key, value and headers unchanged, with the reason in more headers.
struct DeadLetter: Sendable {
    /// The largest value that a letter keeps, in bytes. A broker accepts no larger request by default, and a copy of the
    /// value takes as much memory.
    static let valueLimit = 100_000_000

    private let key: [UInt8]?
    private let value: [UInt8]?
    // The size of the value, also where the letter does not keep it.
    private let valueCount: Int
    private let headers: [KafkaHeader]
    private let reasons: [KafkaHeader]

    init(_ record: borrowing ConsumerRecord, _ violation: EventViolation) {
        let valueCount = record.value?.count ?? 0
        self.init(
            key: record.key.map { Array($0) },
            value: valueCount <= Self.valueLimit ? record.value.map { Array($0) } : nil,
            valueCount: valueCount,
            headers: record.headers(),
            reasons: [
                KafkaHeader("dlq.reason", violation.reason.rawValue),
                KafkaHeader("dlq.detail", violation.detail),
                KafkaHeader("dlq.topic", record.topic),
                KafkaHeader("dlq.partition", String(record.partition)),
                KafkaHeader("dlq.offset", String(record.offset)),
            ]
        )
    }

    init(key: [UInt8]?, value: [UInt8]?, valueCount: Int, headers: [KafkaHeader], reasons: [KafkaHeader]) {
        self.key = key
        self.value = value
        self.valueCount = valueCount
        self.headers = headers
        self.reasons = reasons
    }

    /// The approximate memory of the record, in bytes.
    var byteCount: Int { (value?.count ?? 0) + keyAndHeaderByteCount + 256 }

    /// The bytes of the key and of the record's own headers.
    var keyAndHeaderByteCount: Int { headers.reduce(key?.count ?? 0) { $0 + $1.byteCount } }

    /// The record with its value; without it, as ``messageWithoutValue``, if the value is larger than ``valueLimit``.
    var message: ProducerMessage {
        guard valueCount <= Self.valueLimit else { return messageWithoutValue }
        return ProducerMessage(key: key, value: value, headers: headers + reasons)
    }

    /// The record without its value, but with the value's size in a header: for a topic that rejects the whole record as
    /// too large.
    var messageWithoutValue: ProducerMessage {
        ProducerMessage(key: key, value: nil, headers: headers + reasons + [sizeHeader])
    }

    /// Returns the record without its value, and with a part of its key and headers: for a topic that rejects
    /// ``messageWithoutValue`` too.
    ///
    /// The header `dlq.truncated` has the sizes of the original key and headers. The key and the headers are cut at the
    /// end: a header whose name does not fit is left out, and so are all headers after it.
    ///
    /// - Parameter limit: the greatest number of bytes of the key and of the record's own headers together.
    func message(keeping limit: Int) -> ProducerMessage {
        // A key of its own size is more useful than half of each.
        let keptKey = key.map { Array($0.prefix(limit)) }
        var left = limit - (keptKey?.count ?? 0)
        var keptHeaders: [KafkaHeader] = []
        for header in headers {
            guard header.name.utf8.count < left else { break }
            left -= header.name.utf8.count
            let value = header.value.map { Array($0.prefix(left)) }
            left -= value?.count ?? 0
            keptHeaders.append(KafkaHeader(header.name, bytes: value))
        }
        let headerBytes = keyAndHeaderByteCount - (key?.count ?? 0)
        let truncated = KafkaHeader(
            "dlq.truncated",
            "key: \(keptKey?.count ?? 0) of \(key?.count ?? 0) bytes; "
                + "headers: \(keptHeaders.count) of \(headers.count), "
                + "\(keptHeaders.reduce(0) { $0 + $1.byteCount }) of \(headerBytes) bytes"
        )
        // A detail has a bounded length, but the topic may accept even less.
        let reasons = reasons.map { KafkaHeader($0.name, bytes: $0.value.map { Array($0.prefix(max(limit, 256))) }) }
        return ProducerMessage(key: keptKey, value: nil, headers: keptHeaders + reasons + [sizeHeader, truncated])
    }

    private var sizeHeader: KafkaHeader { KafkaHeader("dlq.size", String(valueCount)) }
}

extension KafkaHeader {
    fileprivate var byteCount: Int { name.utf8.count + (value?.count ?? 0) }
}
