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
    /// has few signatures and mostly one source and session, so each is looked up once.
    private struct KnownIndices {
        var source: (StringTable.Index, own: StringTable.Index)?
        // The one before: mostly an install's events of an interval are of one session.
        var session: (EventID, own: StringTable.Index)?
        var signatures: [(SignatureTable.Index, own: SignatureTable.Index)] = []
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
            signature: signature(event, of: pending, &known)
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
        let own =
            session.isUUID ? strings.intern(session) : pending.idTexts.withText(of: session) { strings.intern($0) }
        known.session = (session, own)
        return own
    }

    private mutating func signature(
        _ event: PendingEvents.Event,
        of pending: PendingEvents,
        _ known: inout KnownIndices
    ) -> SignatureTable.Index {
        if let known = known.signatures.first(where: { $0.0 == event.signature }) { return known.own }
        let own = internSignature(event.signature, of: pending)
        // Of the oldest event there is nothing to remember, and mostly it is the only one.
        if event.previous != nil, known.signatures.count < KnownIndices.greatestCount {
            known.signatures.append((event.signature, own))
        }
        return own
    }

    private mutating func internSignature(
        _ signature: SignatureTable.Index,
        of pending: PendingEvents
    ) -> SignatureTable.Index {
        guard signatures.layout.hasExtras else {
            for funnel in 0..<signatures.funnelCount {
                match.steps[funnel] = pending.signatures.mask(signature, funnel: funnel)
                match.values[funnel].wrappedValue = pending.signatures.value(signature, funnel: funnel).map {
                    strings.intern($0, of: pending.strings)
                }
            }
            return signatures.intern(match)
        }
        for funnel in 0..<signatures.funnelCount {
            match.set(
                funnel: funnel,
                of: signatures.layout,
                to: signature,
                of: pending.signatures,
                funnel: funnel,
                texts: pending.strings,
                into: &strings
            )
        }
        return signatures.intern(match)
    }
}
