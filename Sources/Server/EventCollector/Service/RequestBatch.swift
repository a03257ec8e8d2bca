import EventTracking
import EventReader
import FlowEvents
internal import NIOCore

/// The events of one request's body, parsed and checked against the rules.
struct RequestBatch: Sendable {
    /// The verdict on each event, in the order of the request.
    private(set) var verdicts: [EventVerdict] = []
    /// The valid events with their bytes as sent.
    private(set) var events: [EncodedEvent] = []
    /// The index in ``verdicts`` of each of ``events``.
    private var verdictIndices: [Int] = []
    private var otherTypes = 0
    /// The rejected events, if somebody wants to see them.
    private(set) var rejected: [RejectedEvent] = []
    private let keepsRejected: Bool

    /// Whether the request holds valid requests to erase, and nothing else.
    var isErasure: Bool { !events.isEmpty && events.count == verdicts.count && otherTypes == 0 }

    /// Parses and checks a body.
    ///
    /// - Parameters:
    ///   - body: the decompressed body.
    ///   - kind: the CloudEvents mode of the body.
    ///   - key: the write key of the request.
    ///   - limit: the maximum number of events.
    ///   - now: the collector's time. The rule about events in the future uses it as the record's timestamp.
    ///   - pool: the pool of readers.
    ///   - keepsRejected: whether ``rejected`` has what is rejected.
    /// - Throws: ``Problem`` if the body as a whole is invalid.
    init(
        _ body: ByteBuffer,
        as kind: ContentKind,
        key: WriteKey,
        limit: Int,
        now: Timestamp,
        pool: ReaderPool,
        keepsRejected: Bool = false
    ) throws(Problem) {
        self.keepsRejected = keepsRejected
        // The compiler does not infer the typed throws of a closure through this call.
        let result: Result<Void, Problem> = body.withUnsafeReadableBytes { bytes in
            do throws(Problem) {
                try pool.withReaders { readers throws(Problem) in
                    if let outline = Self.outline(of: bytes, as: kind, limit: limit),
                        judge(outline, of: bytes, readers, key: key, now: now)
                    {
                        return
                    }
                    // The slow path, which distinguishes an event that breaks a rule from an invalid body.
                    (verdicts, events, verdictIndices, otherTypes, rejected) = ([], [], [], 0, [])
                    let ranges = try Self.events(in: bytes, as: kind, limit: limit)
                    _ = judge(ranges, of: bytes, readers, key: key, now: now)
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private static func outline(of bytes: UnsafeRawBufferPointer, as kind: ContentKind, limit: Int) -> [Range<Int>]? {
        switch kind {
        case .batch: JSONOutline(of: bytes, limit: limit)?.elements
        case .structured, .binary: JSONOutline.value(of: bytes).map { [$0] }
        case .text: JSONOutline(of: bytes, limit: limit)?.elements ?? JSONOutline.value(of: bytes).map { [$0] }
        }
    }

    private static func events(
        in bytes: UnsafeRawBufferPointer,
        as kind: ContentKind,
        limit: Int
    ) throws(Problem) -> [Range<Int>] {
        let document: JSONDocument
        do {
            document = try JSONDocument(splitting: bytes, limit: limit)
        } catch {
            throw .badRequest("the body is not JSON: \(error.detail)")
        }
        switch (kind, document) {
        case (.batch, .array(let elements)), (.text, .array(let elements)): return elements
        case (.structured, .value(let range)), (.text, .value(let range)), (.binary, .value(let range)): return [range]
        case (.batch, .tooManyElements), (.text, .tooManyElements):
            throw .tooLarge("more than \(limit) events in one batch")
        case (.batch, .value):
            throw .badRequest("expected a JSON array of events, as application/cloudevents-batch+json has it")
        case (.structured, _), (.binary, _):
            throw .badRequest("expected one event, or application/cloudevents-batch+json as the type of an array")
        }
    }

    /// Takes one value, if it is a valid event of a source of the key.
    private mutating func take(
        _ value: UnsafeRawBufferPointer,
        _ readers: ReaderPool.Readers,
        key: WriteKey,
        now: Timestamp
    ) -> EventReading<Rejection?> {
        readers.events.read(value, recordTimestamp: now) { event -> Rejection? in
            let source = event.source
            guard key.allows(source) else { return Rejection.foreignSource }
            verdictIndices.append(verdicts.count)
            if !ErasureRequest.isType(event.type) { otherTypes += 1 }
            let id = String(decoding: event.id, as: UTF8.self)
            let installID = String(decoding: event.installID, as: UTF8.self)
            events.append(EncodedEvent(id: id, key: installID, value: Array(value)))
            verdicts.append(EventVerdict(id: id))
            return nil
        }
    }

    /// - Returns: whether every event is known to be JSON.
    private mutating func judge(
        _ ranges: [Range<Int>],
        of bytes: UnsafeRawBufferPointer,
        _ readers: ReaderPool.Readers,
        key: WriteKey,
        now: Timestamp
    ) -> Bool {
        var isJSON = true
        verdicts.reserveCapacity(ranges.count)
        verdictIndices.reserveCapacity(ranges.count)
        events.reserveCapacity(ranges.count)
        for range in ranges {
            let value = UnsafeRawBufferPointer(rebasing: bytes[range])
            var reading = take(value, readers, key: key, now: now)
            if case .deadLetter(let violation) = reading,
                let other = readers.events.rewritten(value, after: violation, attributes: { [] })
            {
                reading = other.withUnsafeBytes { take($0, readers, key: key, now: now) }
            }
            let rejection: Rejection? =
                switch reading {
                case .valid(let rejection): rejection
                case .deadLetter(let violation): Rejection(violation)
                }
            if case .deadLetter(let violation) = reading {
                // An event that is too large was not parsed.
                isJSON = isJSON && violation.reason != .notJSON && violation.reason != .tooLarge
            }
            guard let rejection else { continue }
            if keepsRejected { rejected.append(RejectedEvent(value: Array(value), rejection: rejection)) }
            verdicts.append(EventVerdict(id: Self.id(of: value, readers.scratch), rejection: rejection))
        }
        return isJSON
    }

    /// Adds the sink's outcomes of ``events`` to the verdicts.
    ///
    /// - Returns: the number of delivered events; `nil` if the sink asks to retry any of them.
    mutating func settle(_ outcomes: [EventOutcome]) -> Int? {
        var accepted = 0
        for (number, (index, outcome)) in zip(verdictIndices, outcomes).enumerated() {
            switch outcome {
            case .delivered: accepted += 1
            case .rejected(let failure):
                let rejection = Rejection(failure)
                verdicts[index].rejection = rejection
                if keepsRejected { rejected.append(RejectedEvent(value: events[number].value, rejection: rejection)) }
            default: return nil
            }
        }
        return outcomes.count == verdictIndices.count ? accepted : nil
    }

    private static func id(of value: UnsafeRawBufferPointer, _ scratch: JSONScratch) -> String? {
        guard let raw = try? RawEvent(reading: value, scratch), let id = raw.id.string,
            id.count <= EventRules.maximumTextSize
        else { return nil }
        return String(decoding: id, as: UTF8.self)
    }
}
