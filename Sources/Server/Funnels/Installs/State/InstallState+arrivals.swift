extension InstallState {
    /// Sets `arrivals` to those of this install in an interval, in order of arrival, with indices into this state's tables.
    mutating func translate(
        _ pending: PendingEvents,
        latest: PendingEvents.Index,
        into arrivals: inout [PendingEvents.Arrival]
    ) {
        arrivals.removeAll(keepingCapacity: true)
        var known = KnownIndices()
        var index: PendingEvents.Index? = latest
        while let current = index {
            let event = pending.events[current.offset]
            arrivals.append(translated(event, of: pending, &known))
            index = event.previous
        }
        if arrivals.count > 1 { arrivals.reverse() }
    }

    /// Indices in the tables of an interval, each with the index of the same contents in this state's tables. An install
    /// says few different things and mostly one source and session, so each is looked up once.
    private struct KnownIndices {
        var source: (StringTable.Index, own: StringTable.Index)?
        // The one before: mostly an install's events of an interval are of one session.
        var session: (EventID, own: StringTable.Index)?
        var contents: [(EventContents.Index, own: EventContents.Index)] = []
        static let greatestCount = 32
    }

    private mutating func translated(
        _ event: PendingEvents.Event,
        of pending: PendingEvents,
        _ known: inout KnownIndices
    ) -> PendingEvents.Arrival {
        let evidence = Evidence(
            time: event.time,
            sequence: event.sequence,
            id: idTexts.id(event.id, of: pending.idTexts),
            source: source(event.source, of: pending, &known),
            session: session(event.session, of: pending, &known),
            content: content(event, of: pending, &known)
        )
        return PendingEvents.Arrival(evidence: evidence, partition: event.partition)
    }

    private mutating func source(
        _ source: StringTable.Index,
        of pending: PendingEvents,
        _ known: inout KnownIndices
    ) -> StringTable.Index {
        if let known = known.source, known.0 == source { return known.own }
        let own = strings.intern(source, of: pending.strings)
        known.source = (source, own)
        return own
    }

    private mutating func session(
        _ session: EventID,
        of pending: PendingEvents,
        _ known: inout KnownIndices
    ) -> StringTable.Index? {
        if session.isSameInPlace(as: PendingEvents.noSession) { return nil }
        if let known = known.session, known.0.isSameInPlace(as: session) { return known.own }
        let own = pending.idTexts.withText(of: session) { strings.intern($0) }
        known.session = (session, own)
        return own
    }

    private mutating func content(
        _ event: PendingEvents.Event,
        of pending: PendingEvents,
        _ known: inout KnownIndices
    ) -> EventContents.Index {
        if let known = known.contents.first(where: { $0.0 == event.content }) { return known.own }
        let own = contents.intern(event.content, of: pending.contents, pending.strings, into: &strings)
        // Of the oldest event there is nothing to remember, and mostly it is the only one.
        if event.previous != nil, known.contents.count < KnownIndices.greatestCount {
            known.contents.append((event.content, own))
        }
        return own
    }
}
