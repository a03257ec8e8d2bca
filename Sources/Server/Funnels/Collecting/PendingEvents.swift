import FlowEvents

/// The matching events of one commit interval, in the order in which they arrived, each linked to the same install's
/// event before it.
///
/// Feeding is appending to flat memory: what an event means to its install is worked out once per commit, when the
/// install's row is at hand.
struct PendingEvents {
    /// What is kept of one arrival, its numbers being those of this interval.
    struct Arrival {
        var evidence: Evidence
        /// The session's bytes; empty where it has none.
        var session: Range<Int>
        var partition: Int32
        /// The same install's arrival before; negative for its first.
        var previous: Int32
    }

    private(set) var arrivals: [Arrival] = []
    /// The sources and breakdown values.
    private(set) var strings = StringTable()
    private(set) var idTexts: [[UInt8]] = []
    private(set) var signatures: SignatureTable
    private(set) var bytes: [UInt8] = []

    init(funnelCount: Int) {
        signatures = SignatureTable(funnelCount: funnelCount)
    }

    /// How many bytes the arrivals take, roughly.
    var byteCount: Int { arrivals.count * MemoryLayout<Arrival>.stride + bytes.count }

    mutating func internString(_ text: UnsafeRawBufferPointer) -> Int {
        strings.intern(text)
    }

    mutating func internSignature(masks: [UInt32], values: [Int32]) -> Int {
        signatures.intern(masks: masks, values: values)
    }

    /// Appends an event.
    ///
    /// - Parameter previous: the place of the same install's arrival before; negative for its first.
    /// - Returns: the event's place.
    mutating func append(_ event: EventFields, signature: Int, partition: Int32, previous: Int32) -> Int32 {
        var id = EventID(uuid: event.id)
        if id == nil {
            idTexts.append(Array(event.id))
            id = EventID(text: Int32(idTexts.count - 1))
        }
        let start = bytes.count
        if let session = event.sessionID { bytes.append(contentsOf: session) }
        let evidence = Evidence(
            time: event.time.milliseconds,
            sequence: event.sequence ?? 0,
            id: id ?? EventID(text: 0),
            source: Int32(strings.intern(event.source)),
            session: 0,
            signature: Int32(signature)
        )
        arrivals.append(
            Arrival(evidence: evidence, session: start..<bytes.count, partition: partition, previous: previous)
        )
        return Int32(arrivals.count - 1)
    }

    mutating func removeAll() {
        arrivals.removeAll(keepingCapacity: true)
        strings.removeAll()
        idTexts.removeAll(keepingCapacity: true)
        signatures.removeAll()
        bytes.removeAll(keepingCapacity: true)
    }
}
