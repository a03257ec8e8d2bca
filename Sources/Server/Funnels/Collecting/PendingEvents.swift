import FlowEvents

/// The matching events of one commit interval in order of arrival. Each is linked to the previous event of its install.
///
/// Inserting an event only appends to flat arrays. What the event means for its install is worked out once per commit,
/// when the install's row is in memory. The smaller an event is here, the more of them a commit can take in.
struct PendingEvents {
    /// One event. It refers to the tables of the interval.
    struct Event {
        /// The event's time, in milliseconds since 1970.
        var time: Int64
        /// The event's sequence number, ``PendingEvents/noSequence`` where it has none.
        var sequence: Int64
        var id: EventID
        /// The event's source, in ``PendingEvents/strings``.
        var source: StringTable.Index
        /// The event's session, ``PendingEvents/noSession`` where it has none.
        var session: EventID
        /// What the event says, in ``PendingEvents/contents``.
        var content: EventContents.Index
        var partition: Int32
        /// The previous event of the same install.
        @CompactIndex var previous: Index?
    }

    /// An event in the order of arrival of its install. Its evidence refers to the tables of the install's state.
    struct Arrival {
        var evidence: Evidence
        var partition: Int32
    }

    typealias Index = TableIndex<PendingEvents>

    private(set) var events: [Event] = []
    /// The sources and the values of watched fields.
    private(set) var strings = StringTable()
    /// The texts of the ids and sessions that are neither UUIDs nor short.
    private(set) var idTexts = EventIDTexts()
    private(set) var contents: EventContents

    /// What an event without a session has in place of it: a UUID of zeros. A session with that id is kept as a text.
    static let noSession = EventID(high: 0, low: 0)

    /// What an event without a sequence number has in place of it. An event with that number has it also in
    /// ``PendingSequences``.
    static let noSequence: Int64 = 0

    // An array without room for an event copies all others to a larger one. Reserved room takes no memory before it is used.
    private static let leastCapacity = 1 << 20

    /// - Parameter capacity: how many events are expected.
    init(_ matcher: FunnelMatcher, capacity: Int = 0) {
        contents = EventContents(matcher)
        events.reserveCapacity(max(capacity, Self.leastCapacity))
    }

    /// The memory that the events and their texts take, in bytes, approximately.
    var byteCount: Int {
        events.count * MemoryLayout<Event>.stride + strings.byteCount + idTexts.byteCount + contents.byteCount
    }

    /// Appends an event.
    ///
    /// - Parameters:
    ///   - type: the index of the event's type.
    ///   - matches: what the event means, by funnel.
    ///   - previous: the previous event of the same install.
    /// - Returns: the index of the new event.
    mutating func append(
        _ event: EventFields,
        type: Int,
        _ matches: [FunnelMatch],
        partition: Int32,
        previous: Index?
    ) -> Index {
        var session = Self.noSession
        if let text = event.sessionID {
            session = idTexts.id(of: text)
            if session.isSameInPlace(as: Self.noSession) { session = idTexts.append(text) }
        }
        events.append(
            Event(
                time: event.time.milliseconds,
                sequence: event.sequence ?? Self.noSequence,
                id: idTexts.id(of: event.id),
                source: strings.intern(event.source),
                session: session,
                content: contents.intern(type: type, event.values, matches, into: &strings),
                partition: partition,
                previous: previous
            )
        )
        return Index(events.count - 1)
    }
}
