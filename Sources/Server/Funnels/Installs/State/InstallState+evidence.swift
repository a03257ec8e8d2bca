import FlowEvents

extension InstallState {
    /// Adds the events that the evidence does not have yet. Of repeats within `arrivals` it adds the first.
    ///
    /// - Parameters:
    ///   - arrivals: events in order of arrival, with indices into this state's tables.
    ///   - onRepeat: is called with the position in `arrivals` of each repeat.
    /// - Returns: the events that were added, in order.
    mutating func add(_ arrivals: [PendingEvents.Arrival], onRepeat: (Int) -> Void) -> [Evidence] {
        var added: [Evidence] = []
        added.reserveCapacity(arrivals.count)
        let isRepeat = isHashed(arrivals.count) ? repeats(among: arrivals.map(\.evidence)) : []
        for position in arrivals.indices {
            let event = arrivals[position].evidence
            if isRepeat.isEmpty ? isCopy(event, in: evidence) || isCopy(event, in: added) : isRepeat[position] {
                onRepeat(position)
            } else {
                added.append(event)
            }
        }
        guard !added.isEmpty else { return [] }
        // Most arrivals are in order, and the sort's closure copies this state.
        for index in added.indices.dropFirst() where precedes(added[index], added[index - 1]) {
            added.sort(by: precedes)
            break
        }
        if let last = evidence.last, precedes(added[0], last) {
            merge(added)
        } else {
            evidence += added
        }
        return added
    }

    private mutating func merge(_ added: [Evidence]) {
        // The evidence before the first added event does not move.
        let start = evidence.partitioningIndex { !precedes($0, added[0]) }
        var merged: [Evidence] = []
        merged.reserveCapacity(evidence.count - start + added.count)
        var next = 0
        for event in evidence[start...] {
            while next < added.count, precedes(added[next], event) {
                merged.append(added[next])
                next += 1
            }
            merged.append(event)
        }
        merged += added[next...]
        evidence.replaceSubrange(start..., with: merged)
    }

    private func isCopy(_ event: Evidence, in events: [Evidence]) -> Bool {
        for known in events where isSameEvent(known, event) { return true }
        return false
    }

    // So many comparisons are faster than hashing.
    private static let greatestScan = 2048

    private func isHashed(_ count: Int) -> Bool {
        count > 8 && count * (evidence.count + count) > Self.greatestScan
    }

    /// Which arrivals repeat an event of the evidence or an earlier arrival.
    ///
    /// It hashes the arrivals and scans the evidence once. A hash table of the evidence would make each commit of an
    /// install with much evidence many times slower.
    private func repeats(among arrivals: [Evidence]) -> [Bool] {
        var isRepeat = [Bool](repeating: false, count: arrivals.count)
        var positions: [UInt32: [Int]] = [:]
        for (position, event) in arrivals.enumerated() {
            let hash = fingerprint(event)
            // Different events can have the same fingerprint.
            let known = positions[hash] ?? []
            isRepeat[position] = known.contains { !isRepeat[$0] && isSameEvent(arrivals[$0], event) }
            positions[hash, default: []].append(position)
        }
        for event in evidence {
            for position in positions[fingerprint(event)] ?? [] where isSameEvent(arrivals[position], event) {
                isRepeat[position] = true
            }
        }
        return isRepeat
    }
}
