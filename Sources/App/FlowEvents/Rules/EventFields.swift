/// The fields of a valid event that a server needs, as bytes that are not copied from the record.
///
/// The buffers point into memory of the reader. They are valid only during the call that passes them; do not keep them.
/// They are unsafe buffers because a `String` for each field would be most of the cost of reading an event.
public struct EventFields {
    /// The CloudEvents `id`, UTF-8, never empty.
    public var id: UnsafeRawBufferPointer
    /// The CloudEvents `source`, UTF-8, never empty.
    public var source: UnsafeRawBufferPointer
    /// The CloudEvents `type`, UTF-8, never empty.
    public var type: UnsafeRawBufferPointer
    /// The CloudEvents `time`.
    public var time: Timestamp
    /// `data.install_id`, UTF-8, never empty.
    public var installID: UnsafeRawBufferPointer
    /// `data.session_id`, UTF-8; `nil` if absent or empty.
    public var sessionID: UnsafeRawBufferPointer?
    /// `data.sequence`.
    public var sequence: Int64?
    /// The values of the fields that the reader was created with, in that order.
    public var values: UnsafeBufferPointer<FieldValue>

    /// Creates the fields from their parts.
    public init(
        id: UnsafeRawBufferPointer,
        source: UnsafeRawBufferPointer,
        type: UnsafeRawBufferPointer,
        time: Timestamp,
        installID: UnsafeRawBufferPointer,
        sessionID: UnsafeRawBufferPointer?,
        sequence: Int64?,
        values: UnsafeBufferPointer<FieldValue>
    ) {
        self.id = id
        self.source = source
        self.type = type
        self.time = time
        self.installID = installID
        self.sessionID = sessionID
        self.sequence = sequence
        self.values = values
    }
}

/// The value of one field of an event.
public enum FieldValue {
    /// No value, `null`, or a string that the event format treats as absent: an empty one in `session_id` and `user_id`, and
    /// one of more than ``EventRules/maximumTextSize`` bytes. A number that no double can hold is absent, too.
    case absent
    /// A string in UTF-8. The bytes belong to the ``EventFields``.
    case string(UnsafeRawBufferPointer)
    /// A finite number; integers are exact.
    case number(FieldNumber)
    /// A boolean.
    case bool(Bool)
    /// A value that equals no other: an array, an object, or a string that escapes half of a surrogate pair.
    case other
}
