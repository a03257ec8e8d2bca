extension InstallState {
    /// An interval's arrivals of this install in the order of arrival, in this state's numbers.
    mutating func translate(_ pending: PendingEvents, latest: Int32) -> [PendingEvents.Arrival] {
        var arrivals: [PendingEvents.Arrival] = []
        var place = latest
        while place >= 0 {
            let arrival = pending.arrivals[Int(place)]
            arrivals.append(arrival)
            place = arrival.previous
        }
        arrivals.reverse()
        for index in arrivals.indices { translate(&arrivals[index], of: pending) }
        return arrivals
    }

    private mutating func translate(_ arrival: inout PendingEvents.Arrival, of pending: PendingEvents) {
        arrival.evidence.source = Int32(intern(pending.strings.strings[Int(arrival.evidence.source)]))
        if !arrival.session.isEmpty {
            let session = pending.bytes.withUnsafeBytes { bytes in
                strings.intern(UnsafeRawBufferPointer(rebasing: bytes[arrival.session]))
            }
            arrival.evidence.session = Int32(session + 1)
        }
        if !arrival.evidence.id.isUUID {
            idTexts.append(pending.idTexts[Int(arrival.evidence.id.text)])
            arrival.evidence.id = EventID(text: Int32(idTexts.count - 1))
        }
        arrival.evidence.signature = Int32(internSignature(Int(arrival.evidence.signature), of: pending))
    }

    private mutating func internSignature(_ signature: Int, of pending: PendingEvents) -> Int {
        for funnel in 0..<signatures.funnelCount {
            masks[funnel] = pending.signatures.mask(signature, funnel: funnel)
            let value = pending.signatures.value(signature, funnel: funnel)
            values[funnel] = value > 0 ? Int32(intern(pending.strings.strings[value - 1]) + 1) : 0
        }
        return signatures.intern(masks: masks, values: values)
    }

    private mutating func intern(_ string: [UInt8]) -> Int {
        string.withUnsafeBytes { strings.intern($0) }
    }
}
