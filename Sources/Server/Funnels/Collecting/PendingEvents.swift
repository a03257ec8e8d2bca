import FlowEvents

/// The matching events of one commit interval in order of arrival. Each is linked to the previous event of its install.
///
/// Inserting an event only appends to flat arrays. What the event means for its install is worked out once per commit,
/// when the install's row is in memory.
struct PendingEvents {
    /// One arrival. Its evidence refers to the tables of the interval.
    struct Arrival {
        var evidence: Evidence
        /// The range of the session id in ``PendingEvents/bytes``; empty where the event has no session.
        var session: Range<Int>
        var partition: Int32
        /// The previous arrival of the same install.
        @CompactIndex var previous: Index?
    }

    typealias Index = TableIndex<PendingEvents>

    private(set) var arrivals: [Arrival] = []
    /// The sources, breakdown values, values to count by, and units.
    private(set) var strings = StringTable()
    private(set) var idTexts = EventIDTexts()
    private(set) var signatures: SignatureTable
    /// The session ids, one after another.
    private(set) var bytes: [UInt8] = []

    init(_ layout: SignatureLayout) {
        signatures = SignatureTable(layout)
    }

    /// The memory that the arrivals and their texts take, in bytes, approximately.
    var byteCount: Int {
        arrivals.count * MemoryLayout<Arrival>.stride + bytes.count + strings.byteCount + idTexts.byteCount
            + signatures.byteCount
    }

    mutating func internString(_ text: UnsafeRawBufferPointer) -> StringTable.Index {
        strings.intern(text)
    }

    mutating func internSignature(_ match: EventMatch) -> SignatureTable.Index {
        signatures.intern(match)
    }

    /// Appends an event.
    ///
    /// - Parameter previous: the previous arrival of the same install.
    /// - Returns: the index of the new arrival.
    mutating func append(
        _ event: EventFields,
        signature: SignatureTable.Index,
        partition: Int32,
        previous: Index?
    ) -> Index {
        let start = bytes.count
        if let session = event.sessionID { bytes.append(contentsOf: session) }
        let evidence = Evidence(
            time: event.time.milliseconds,
            sequence: event.sequence ?? 0,
            id: EventID(uuid: event.id) ?? idTexts.append(Array(event.id)),
            source: strings.intern(event.source),
            session: nil,
            signature: signature
        )
        arrivals.append(
            Arrival(evidence: evidence, session: start..<bytes.count, partition: partition, previous: previous)
        )
        return Index(arrivals.count - 1)
    }
}
