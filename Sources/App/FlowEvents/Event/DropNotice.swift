/// What an app says about events that it has tracked and given up: an event of the type ``eventType``.
///
/// The queue on the device makes one for each reason, with the properties `reason` and `count`. It has a `sequence` of
/// its own; the events that it tells of had taken theirs before, which nobody will ever see.
public struct DropNotice: Sendable, Hashable {
    /// The type of the events that tell of drops.
    public static let eventType = "events_dropped"
    /// The property with the reason's name.
    public static let reasonProperty = "reason"
    /// The property with the count.
    public static let countProperty = "count"

    /// Why the events were dropped.
    public var cause: DropCause
    /// How many they were; 1 or more.
    public var count: Int64

    /// Creates a notice from its parts.
    public init(cause: DropCause, count: Int64) {
        self.cause = cause
        self.count = count
    }

    /// Whether `type` is that of a notice.
    @inlinable
    public static func isType(_ type: UnsafeRawBufferPointer) -> Bool {
        // The length decides for nearly all events.
        type.count == eventType.utf8.count && type.elementsEqual(eventType.utf8)
    }

    /// Reads the notice that a valid event's JSON holds.
    ///
    /// `nil` where it is none, and for drops that leave no gap in the install's sequence: an invalid event never gets a
    /// number, and what was lost in a damaged queue belongs to the install that the device was before.
    public init?(json: UnsafeRawBufferPointer) {
        let event: Event
        do {
            event = try Event(json: json)
        } catch {
            return nil
        }
        guard event.type == Self.eventType, case .string(let reason) = event.properties[Self.reasonProperty],
            case .number(let number) = event.properties[Self.countProperty], let count = number.integer, count > 0,
            let cause = DropCause(reason: reason)
        else { return nil }
        self.init(cause: cause, count: count)
    }
}

/// Why an app has given events up that had their number in the install's sequence already.
///
/// A few groups and not the reasons themselves, which may be anything that a client sends.
public enum DropCause: String, Sendable, Hashable, CaseIterable {
    /// They were the oldest when the queue was full.
    case queueFull = "queue_full"
    /// They were older than the queue keeps events.
    case expired
    /// The device could not store them.
    case notStored = "not_stored"
    /// The other side has refused them for good, whatever its code.
    case rejected
    /// Another reason.
    case other

    init?(reason: String) {
        guard DeadLetterReason(rawValue: reason) == nil, reason != "damaged" else { return nil }
        self = DropCause(rawValue: reason) ?? (reason.hasPrefix("rejected_") ? .rejected : .other)
    }
}
