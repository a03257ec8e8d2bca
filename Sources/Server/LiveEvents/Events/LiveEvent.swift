package import FlowEvents
package import Funnels

/// An event, or what was sent in place of one, as the live page shows it.
package struct LiveEvent: Sendable, Hashable {
    /// The bytes of ``json`` that are kept.
    package static let jsonLimit = 65_536

    /// The position in the feed, from 1. ``LiveFeed`` sets it.
    package internal(set) var number = 0
    /// When Kafka got it, or when the collector refused it.
    package var arrival: Timestamp
    /// When it happened; `nil` where that cannot be read.
    package var time: Timestamp?
    /// The CloudEvents `id`.
    package var id: String?
    /// The CloudEvents `source`.
    package var source: String?
    /// The CloudEvents `type`; of a refused request, its path.
    package var type: String?
    /// `data.install_id`.
    package var installID: String?
    /// `data.sequence`.
    package var sequence: Int64?
    /// `data.screen`.
    package var screen: String?
    /// `data.previous_screen`.
    package var previousScreen: String?
    /// `data.transition`.
    package var transition: String?
    /// `data.presentation_id`.
    package var presentationID: String?
    /// `data.paywall_source`.
    package var paywallSource: String?
    /// The reading of the device's clock, where ``time`` was corrected.
    package var deviceTime: Timestamp?
    /// The steps that the event meets.
    package var steps: [StepFinder.Found] = []
    /// What is wrong.
    package var findings: [Finding] = []
    /// The event as it came, at most ``jsonLimit`` bytes of it.
    package var json: [UInt8]
    /// The number of bytes as it came.
    package var size: Int

    /// Creates an event without any field.
    ///
    /// - Parameters:
    ///   - value: the event as it came.
    ///   - arrival: when it came.
    package init(_ value: UnsafeRawBufferPointer, arrival: Timestamp) {
        self.arrival = arrival
        json = Array(value.prefix(Self.jsonLimit))
        size = value.count
    }

    /// Creates the entry of a request that the collector refused.
    ///
    /// - Parameters:
    ///   - path: the path of the request.
    ///   - status: the status of the answer.
    ///   - detail: what was wrong with the request.
    ///   - arrival: when it was answered.
    package init(refusedRequest path: String, status: Int, detail: String, arrival: Timestamp) {
        self.init(UnsafeRawBufferPointer(start: nil, count: 0), arrival: arrival)
        type = path
        findings = [Finding(.refusedRequest, "\(status): \(detail)")]
    }

    /// Creates the entry of an event that is not counted, with what can be read of it.
    ///
    /// - Parameters:
    ///   - value: the event as it came.
    ///   - finding: why it is not counted.
    ///   - arrival: when it came.
    package init(uncounted value: [UInt8], _ finding: Finding, arrival: Timestamp) {
        self = value.withUnsafeBytes { bytes in
            var event = LiveEvent(bytes, arrival: arrival)
            let scratch = JSONScratch()
            // What is no JSON has no fields.
            if let raw = try? RawEvent(reading: bytes, scratch) { event.take(raw) }
            return event
        }
        findings = [finding]
    }

    /// The approximate memory of the event, in bytes.
    var byteCount: Int { json.count + 600 + findings.count * 200 + steps.count * 32 }

    /// Takes the fields of a parsed event, valid or not. What is too long for the format is cut.
    mutating func take(_ raw: RawEvent) {
        id = Self.text(raw.id)
        source = Self.text(raw.source)
        type = Self.text(raw.type)
        installID = Self.text(raw.installID)
        screen = Self.text(raw.screen)
        previousScreen = Self.text(raw.previousScreen)
        transition = Self.text(raw.transition)
        presentationID = Self.text(raw.presentationID)
        paywallSource = Self.text(raw.paywallSource)
        sequence = raw.sequence.number.flatMap { Int64(exactly: $0.double) }
        time = raw.shape.timestamp
        deviceTime = raw.deviceTime.string.flatMap(Timestamp.init(rfc3339:))
    }

    private static func text(_ value: JSONValue) -> String? {
        guard let bytes = value.string, !bytes.isEmpty else { return nil }
        return String(decoding: bytes.prefix(EventRules.maximumTextSize), as: UTF8.self)
    }
}
