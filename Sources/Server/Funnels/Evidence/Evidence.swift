import FlowEvents

/// One event of an install that some funnel needs.
struct Evidence {
    /// The event's time, in milliseconds since 1970.
    var time: Int64
    /// The event's sequence number, or 0.
    var sequence: Int64
    /// The event's id.
    var id: EventID
    /// The event's source, in the owner's strings.
    var source: StringTable.Index
    /// The event's session, in the owner's strings.
    @CompactIndex var session: StringTable.Index?
    /// What the event says, in the owner's contents.
    var content: EventContents.Index
}

/// Summary of the evidence of an install that was removed because no later event can change its effect.
struct RemovedEvidence: Equatable {
    /// The horizon by which evidence was removed; `nil` where nothing was removed. No earlier event comes: see
    /// ``PartitionIntake``.
    var horizon: Int64?
    /// The removed events by day, in order. Days that no later event can share the span of
    /// ``FunnelBounds/evidenceDays(of:)`` with are left out.
    var days: [DayCount] = []
}
