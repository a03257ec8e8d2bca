extension InstallState {
    /// Sets `arrivals` to those of this install in an interval, in order of arrival, with indices into this state's tables.
    mutating func translate(
        _ pending: PendingEvents,
        latest: PendingEvents.Index,
        into arrivals: inout [PendingEvents.Arrival]
    ) {
        arrivals.removeAll(keepingCapacity: true)
        var index: PendingEvents.Index? = latest
        var last: (event: PendingEvents.Event, evidence: Evidence)?
        while let current = index {
            let event = pending.events[current.offset]
            // Events that follow each other mostly share their source and session, whose texts are looked up once then.
            let neighbor = last.flatMap { last in
                last.event.source == event.source && last.event.session.isSameInPlace(as: event.session)
                    ? last.evidence : nil
            }
            let evidence = Evidence(
                time: event.time,
                sequence: event.sequence,
                id: idTexts.id(event.id, of: pending.idTexts),
                source: neighbor?.source ?? strings.intern(event.source, of: pending.strings),
                session: neighbor.map(\.session) ?? session(event.session, of: pending),
                content: contents.intern(event.content, of: pending.contents, pending.strings, into: &strings)
            )
            arrivals.append(PendingEvents.Arrival(evidence: evidence, partition: event.partition))
            last = (event, evidence)
            index = event.previous
        }
        arrivals.reverse()
    }

    private mutating func session(_ session: EventID, of pending: PendingEvents) -> StringTable.Index? {
        if session.isSameInPlace(as: PendingEvents.noSession) { return nil }
        return pending.idTexts.withText(of: session) { strings.intern($0) }
    }
}
