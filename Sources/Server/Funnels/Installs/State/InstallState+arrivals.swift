extension InstallState {
    /// The arrivals of this install in an interval, in order of arrival, with indices into this state's tables.
    mutating func translate(_ pending: PendingEvents, latest: PendingEvents.Index) -> [PendingEvents.Arrival] {
        var arrivals: [PendingEvents.Arrival] = []
        var index: PendingEvents.Index? = latest
        while let current = index {
            let arrival = pending.arrivals[current.offset]
            arrivals.append(arrival)
            index = arrival.previous
        }
        arrivals.reverse()
        for offset in arrivals.indices { translate(&arrivals[offset], of: pending) }
        return arrivals
    }

    private mutating func translate(_ arrival: inout PendingEvents.Arrival, of pending: PendingEvents) {
        arrival.evidence.source = strings.intern(pending.strings[arrival.evidence.source])
        if !arrival.session.isEmpty {
            arrival.evidence.session = pending.bytes.withUnsafeBytes { bytes in
                strings.intern(UnsafeRawBufferPointer(rebasing: bytes[arrival.session]))
            }
        }
        if let text = arrival.evidence.id.text {
            arrival.evidence.id = idTexts.append(pending.idTexts[text])
        }
        arrival.evidence.signature = internSignature(arrival.evidence.signature, of: pending)
    }

    private mutating func internSignature(
        _ signature: SignatureTable.Index,
        of pending: PendingEvents
    ) -> SignatureTable.Index {
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
