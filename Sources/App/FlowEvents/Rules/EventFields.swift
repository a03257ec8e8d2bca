/// A valid event as a server sees it: the bytes of the fields that it needs, not copied out of the record.
///
/// The views point into memory that belongs to whoever made them and are valid only inside the call that handed the
/// value over; nothing may keep them. They are unsafe buffers because a `String` for each field would be most of the
/// cost of reading an event.
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
    /// `data.session_id`, UTF-8; `nil` where absent or empty.
    public var sessionID: UnsafeRawBufferPointer?
    /// `data.sequence`.
    public var sequence: Int64?
    /// The values of the fields that the reader was asked for, in the order it was asked for them.
    public var values: UnsafeBufferPointer<FieldValue>

    /// Creates the view from its parts.
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

/// What stands in one field of an event.
public enum FieldValue {
    /// Nothing, or `null`, or the empty string where the contract says that empty is absent.
    case absent
    /// Text, as UTF-8; the bytes belong to the ``EventFields`` that it came in.
    case string(UnsafeRawBufferPointer)
    /// A number, as a double; infinite where JSON writes one that is too big for a double.
    case number(Double)
    /// A truth value.
    case bool(Bool)
    /// Something else that equals nothing: an array, an object, or a string that is no Unicode text because it
    /// escapes half of a surrogate pair.
    case other
}
