extension InstallState {
    /// Adds those of `arrivals` that are not there yet, the first of each name.
    ///
    /// - Parameters:
    ///   - arrivals: events in the order in which they arrived; their numbers are this state's.
    ///   - onRepeat: is called with the position of each that is there already.
    /// - Returns: the time of the earliest event that was added; `nil` where none was.
    mutating func add(_ arrivals: [Evidence], onRepeat: (Int) -> Void) -> Int64? {
        var known = KnownNames(self, arrivals: arrivals.count)
        var added: [Evidence] = []
        for (position, event) in arrivals.enumerated() {
            if known.insert(event, in: self, added: added) { added.append(event) } else { onRepeat(position) }
        }
        guard !added.isEmpty else { return nil }
        // Arrivals are in order mostly, and a closure would copy this state.
        for index in added.indices.dropFirst() where precedes(added[index], added[index - 1]) {
            added.sort(by: precedes)
            break
        }
        let earliest = added[0]
        if let last = evidence.last, precedes(earliest, last) {
            merge(added)
        } else {
            evidence += added
        }
        return earliest.time
    }

    private mutating func merge(_ added: [Evidence]) {
        var merged: [Evidence] = []
        merged.reserveCapacity(evidence.count + added.count)
        var next = 0
        for event in evidence {
            while next < added.count, precedes(added[next], event) {
                merged.append(added[next])
                next += 1
            }
            merged.append(event)
        }
        merged += added[next...]
        evidence = merged
    }
}

/// The names of an install's events: looked along where there are few, hashed where there are many.
private struct KnownNames {
    private let isHashed: Bool
    private var byHash: [Int: [Evidence]] = [:]
    private static let greatestScan = 64

    init(_ state: InstallState, arrivals: Int) {
        isHashed = state.evidence.count + arrivals > Self.greatestScan
        guard isHashed else { return }
        byHash.reserveCapacity(state.evidence.count + arrivals)
        for event in state.evidence { byHash[state.nameHash(event), default: []].append(event) }
    }

    /// Whether the event was not there yet.
    mutating func insert(_ event: Evidence, in state: InstallState, added: [Evidence]) -> Bool {
        if isHashed {
            let hash = state.nameHash(event)
            if byHash[hash]?.contains(where: { state.isSameEvent($0, event) }) ?? false { return false }
            byHash[hash, default: []].append(event)
            return true
        }
        for known in state.evidence where state.isSameEvent(known, event) { return false }
        for known in added where state.isSameEvent(known, event) { return false }
        return true
    }
}
