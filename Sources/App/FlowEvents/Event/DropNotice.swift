/// An app's count of events that it tracked and then dropped. The app sends it as an event of the type ``eventType``.
///
/// The queue on the device makes one event for each reason, with the properties `reason` and `count`:
///
/// ```json
/// {"type":"events_dropped","data":{"properties":{"reason":"queue_full","count":12}}}
/// ```
///
/// The notice has a `sequence` number of its own. The dropped events used other numbers, which never arrive.
public struct DropNotice: Sendable, Hashable {
    /// The event type of a notice.
    public static let eventType = "events_dropped"
    /// The property that holds the reason.
    public static let reasonProperty = "reason"
    /// The property that holds the count.
    public static let countProperty = "count"

    /// Why the events were dropped.
    public var cause: DropCause
    /// The number of dropped events; at least 1.
    public var count: Int64

    /// Creates a notice.
    public init(cause: DropCause, count: Int64) {
        self.cause = cause
        self.count = count
    }

    /// Whether `type`, in UTF-8, is ``eventType``.
    @inlinable
    public static func isType(_ type: UnsafeRawBufferPointer) -> Bool {
        // For nearly all events the length differs, which is the cheaper test.
        type.count == eventType.utf8.count && type.elementsEqual(eventType.utf8)
    }

    /// Reads a notice from the JSON of a valid event.
    ///
    /// Returns `nil` if the event is not a notice, and for drops that leave no gap in the install's sequence: an invalid
    /// event never gets a number, and events in a damaged queue belong to the device's previous install id.
    public init?(json: UnsafeRawBufferPointer) {
        let event: Event
        do {
            event = try Event(json: json)
        } catch {
            return nil
        }
        guard event.type == Self.eventType, case .string(let reason) = event.properties[Self.reasonProperty],
            let number = event.properties[Self.countProperty]?.exactNumber, let count = number.double.integer,
            count > 0,
            let cause = DropCause(reason: reason)
        else { return nil }
        self.init(cause: cause, count: count)
    }
}

/// Why an app dropped events that already had a number in the install's sequence.
///
/// These are groups of reasons. The reason itself is a text that a client sends, and can be anything.
public enum DropCause: String, Sendable, Hashable, CaseIterable {
    /// The queue was full, and these were its oldest events.
    case queueFull = "queue_full"
    /// The events were older than the queue's maximum age.
    case expired
    /// The device could not store them.
    case notStored = "not_stored"
    /// The receiver rejected the events, with any code.
    case rejected
    /// Another reason.
    case other

    init?(reason: String) {
        guard DeadLetterReason(rawValue: reason) == nil, reason != "damaged" else { return nil }
        self = DropCause(rawValue: reason) ?? (reason.hasPrefix("rejected_") ? .rejected : .other)
    }
}
