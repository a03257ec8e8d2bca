extension InstallState {
    /// Sets `arrivals` to those of this install in an interval, in order of arrival, with indices into this state's tables.
    mutating func translate(
        _ pending: PendingEvents,
        latest: PendingEvents.Index,
        into arrivals: inout [PendingEvents.Arrival]
    ) {
        arrivals.removeAll(keepingCapacity: true)
        var index: PendingEvents.Index? = latest
        while let current = index {
            arrivals.append(pending.arrivals[current.offset])
            index = pending.arrivals[current.offset].previous
        }
        if arrivals.count > 1 { arrivals.reverse() }
        var known = KnownIndices()
        let count = arrivals.count
        for offset in 0..<count { translate(&arrivals[offset], of: pending, &known, count) }
    }

    /// Indices in the tables of an interval, each with the index of the same contents in this state's tables. An install
    /// has few signatures and mostly one source and session, so each is looked up once.
    private struct KnownIndices {
        var source: (StringTable.Index, own: StringTable.Index)?
        // The one before: mostly an install's events of an interval are of one session.
        var session: (bytes: Range<Int>, own: StringTable.Index)?
        var signatures: [(SignatureTable.Index, own: SignatureTable.Index)] = []
        static let greatestCount = 32
    }

    private mutating func translate(
        _ arrival: inout PendingEvents.Arrival,
        of pending: PendingEvents,
        _ known: inout KnownIndices,
        _ arrivalCount: Int
    ) {
        let event = arrival.evidence
        if let source = known.source, source.0 == event.source {
            arrival.evidence.source = source.own
        } else {
            arrival.evidence.source = strings.intern(event.source, of: pending.strings)
            known.source = (event.source, arrival.evidence.source)
        }
        if !arrival.session.isEmpty {
            arrival.evidence.session = pending.bytes.withUnsafeBytes { bytes in
                let text = UnsafeRawBufferPointer(rebasing: bytes[arrival.session])
                if let session = known.session {
                    let before = UnsafeRawBufferPointer(rebasing: bytes[session.bytes])
                    if before.hasSameBytes(as: text) { return session.own }
                }
                let own = strings.intern(text)
                known.session = (arrival.session, own)
                return own
            }
        }
        if let text = event.id.text {
            arrival.evidence.id = idTexts.append(pending.idTexts[text])
        }
        if let signature = known.signatures.first(where: { $0.0 == event.signature }) {
            arrival.evidence.signature = signature.own
        } else {
            arrival.evidence.signature = internSignature(event.signature, of: pending)
            guard arrivalCount > 1, known.signatures.count < KnownIndices.greatestCount else { return }
            known.signatures.append((event.signature, arrival.evidence.signature))
        }
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
