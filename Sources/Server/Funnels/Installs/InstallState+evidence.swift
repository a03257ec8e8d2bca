extension InstallState {
    /// Adds those of `arrivals` that are not there yet, the first of each name.
    ///
    /// - Parameters:
    ///   - arrivals: events in the order in which they arrived; their numbers are this state's.
    ///   - onRepeat: is called with the position of each that is there already.
    /// - Returns: the time of the earliest event that was added; `nil` where none was.
    mutating func add(_ arrivals: [Evidence], onRepeat: (Int) -> Void) -> Int64? {
        var added: [Evidence] = []
        let isRepeat = repeats(among: arrivals)
        for (position, event) in arrivals.enumerated() {
            if isRepeat[position] { onRepeat(position) } else { added.append(event) }
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
        // What comes before the first of them stays where it is.
        let first = added[0]
        var (start, end) = (0, evidence.count)
        while start < end {
            let middle = (start + end) / 2
            if precedes(evidence[middle], first) { start = middle + 1 } else { end = middle }
        }
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

    // Comparisons that are quicker than hashing.
    private static let greatestScan = 2048

    /// Which of `arrivals` are there already, or are repeats of one before them.
    ///
    /// The evidence is looked along once, and never hashed into a table: that would make each commit of an install with
    /// much evidence many times as long.
    private func repeats(among arrivals: [Evidence]) -> [Bool] {
        var isRepeat = [Bool](repeating: false, count: arrivals.count)
        let comparisons = arrivals.count * (evidence.count + arrivals.count)
        guard arrivals.count > 8, comparisons > Self.greatestScan else {
            for (position, event) in arrivals.enumerated() {
                isRepeat[position] =
                    arrivals[..<position].contains { isSameEvent($0, event) }
                    || evidence.contains { isSameEvent($0, event) }
            }
            return isRepeat
        }
        // The arrivals of one hash are a chain, the earliest first: names that differ have one hash only by chance.
        var firsts: [Int: Int] = [:]
        var next = [Int](repeating: -1, count: arrivals.count)
        firsts.reserveCapacity(arrivals.count)
        for position in arrivals.indices.reversed() {
            let hash = nameHash(arrivals[position])
            next[position] = firsts.updateValue(position, forKey: hash) ?? -1
        }
        for event in evidence {
            var position = firsts[nameHash(event)] ?? -1
            while position >= 0 {
                if isSameEvent(arrivals[position], event) { isRepeat[position] = true }
                position = next[position]
            }
        }
        for first in firsts.values where next[first] >= 0 {
            var chain: [Int] = []
            var position = first
            while position >= 0 {
                if chain.contains(where: { isSameEvent(arrivals[$0], arrivals[position]) }) {
                    isRepeat[position] = true
                } else {
                    chain.append(position)
                }
                position = next[position]
            }
        }
        return isRepeat
    }
}
