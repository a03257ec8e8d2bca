import Analytics
import EventReader
import Events

/// The events of one request's body, taken apart and held against the rules.
struct Intake: Sendable {
    /// One for each event, in the order of the request.
    private(set) var verdicts: [EventVerdict] = []
    /// The events that keep the rules, each with its bytes as they came.
    private(set) var events: [EncodedEvent] = []
    /// Which verdict belongs to each of ``events``.
    private var places: [Int] = []

    /// Takes a body apart.
    ///
    /// - Parameters:
    ///   - body: the body, decompressed.
    ///   - kind: what its type says that it is.
    ///   - key: the write key that it was sent with.
    ///   - limit: how many events there may be.
    ///   - now: the collector's clock, which stands for the record's timestamp in the rule for the future.
    /// - Throws: ``Problem`` where the body as a whole is not what it should be.
    init(_ body: [UInt8], as kind: ContentKind, key: WriteKey, limit: Int, now: Timestamp) throws(Problem) {
        // The typed throws of a closure are not inferred through this call.
        let result: Result<Void, Problem> = body.withUnsafeBytes { bytes in
            do throws(Problem) {
                try read(bytes, as: kind, key: key, limit: limit, now: now)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        as kind: ContentKind,
        key: WriteKey,
        limit: Int,
        now: Timestamp
    ) throws(Problem) {
        let document: JSONDocument
        do {
            document = try JSONDocument(splitting: bytes, limit: limit)
        } catch {
            throw .badRequest("the body is not JSON: \(error.detail)")
        }
        let ranges: [Range<Int>]
        switch (kind, document) {
        case (.batch, .array(let elements)): ranges = elements
        case (.structured, .value(let range)): ranges = [range]
        case (.batch, .tooManyElements): throw .tooLarge("more than \(limit) events in one batch")
        case (.batch, .value):
            throw .badRequest("expected a JSON array of events, as application/cloudevents-batch+json has it")
        case (.structured, _):
            throw .badRequest("expected one event, or application/cloudevents-batch+json as the type of an array")
        }
        let reader = EventReader(fields: [])
        let scratch = JSONScratch()
        verdicts.reserveCapacity(ranges.count)
        events.reserveCapacity(ranges.count)
        for range in ranges {
            let value = UnsafeRawBufferPointer(rebasing: bytes[range])
            verdicts.append(judge(value, reader, scratch, key: key, now: now))
        }
    }

    private mutating func judge(
        _ value: UnsafeRawBufferPointer,
        _ reader: EventReader,
        _ scratch: JSONScratch,
        key: WriteKey,
        now: Timestamp
    ) -> EventVerdict {
        let reading = reader.read(value, recordTimestamp: now) { event -> EncodedEvent? in
            let source = event.source
            guard key.sources.contains(where: { $0.elementsEqual(source) }) else { return nil }
            let id = String(decoding: event.id, as: UTF8.self)
            return EncodedEvent(id: id, key: Array(event.installID), value: Array(value))
        }
        switch reading {
        case .valid(let event?):
            places.append(verdicts.count)
            events.append(event)
            return EventVerdict(id: event.id)
        case .valid(nil):
            return EventVerdict(id: Self.id(of: value, scratch), rejection: Self.foreignSource)
        case .deadLetter(let violation):
            let rejection = SinkFailure(code: violation.reason.rawValue, detail: violation.detail)
            return EventVerdict(id: Self.id(of: value, scratch), rejection: rejection)
        }
    }

    /// Enters what the sink says about ``events``.
    ///
    /// - Returns: how many of them it took; `nil` where it is to be tried again with some.
    mutating func settle(_ outcomes: [EventOutcome]) -> Int? {
        var accepted = 0
        for (place, outcome) in zip(places, outcomes) {
            switch outcome {
            case .delivered: accepted += 1
            case .rejected(let failure):
                // The sink's own sentence names brokers.
                let detail = "Kafka does not take this event"
                verdicts[place].rejection = SinkFailure(code: failure.code, detail: detail)
            default: return nil
            }
        }
        return outcomes.count == places.count ? accepted : nil
    }

    private static let foreignSource = SinkFailure(
        code: "source_not_allowed",
        detail: "source: not among those that this write key may send"
    )

    private static func id(of value: UnsafeRawBufferPointer, _ scratch: JSONScratch) -> String? {
        guard let raw = try? RawEvent(reading: value, scratch), let id = raw.id.string else { return nil }
        return String(decoding: id, as: UTF8.self)
    }
}
