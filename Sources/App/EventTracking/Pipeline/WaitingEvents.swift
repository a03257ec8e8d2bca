import FlowEvents

/// Events that wait in memory until the identity can be read, or until the user agrees. The oldest are dropped beyond the
/// limits.
package struct WaitingEvents: Sendable {
    private var entries = FIFO<TrackerBuffer.Entry>()
    private var sizes = FIFO<Int>()
    private var bytes = 0
    /// Whether the next event begins a session that a dropped one was to begin.
    private var beginsSession = false
    private let maximumCount: Int
    private let maximumBytes: Int

    package init(maximumCount: Int, maximumBytes: Int) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// Adds events.
    ///
    /// - Returns: the number of the oldest ones that had to go.
    package mutating func add(_ added: [TrackerBuffer.Entry]) -> Int {
        for var entry in added {
            if beginsSession { (entry.beginsSession, beginsSession) = (true, false) }
            let size = entry.draft.size
            entries.append(entry)
            sizes.append(size)
            bytes += size
        }
        var dropped = 0
        while entries.count > maximumCount || bytes > maximumBytes, let size = sizes.popFirst() {
            bytes -= size
            if entries.dropFirst(1) { beginsSession = true }
            dropped += 1
        }
        return dropped
    }

    /// Removes and returns the first events.
    ///
    /// - Parameters:
    ///   - limit: the greatest number of events.
    ///   - maximumBytes: about the greatest size of all but the first.
    package mutating func take(_ limit: Int = .max, maximumBytes: Int = .max) -> [TrackerBuffer.Entry] {
        var (count, taken) = (0, 0)
        while count < limit, let size = sizes.first, count == 0 || taken + size <= maximumBytes {
            _ = sizes.popFirst()
            taken += size
            count += 1
        }
        bytes -= taken
        return entries.removeFirst(count)
    }

    /// Puts events back that ``take(_:maximumBytes:)`` has returned.
    package mutating func putBack(_ returned: [TrackerBuffer.Entry]) {
        let own = returned.map(\.draft.size)
        bytes += own.reduce(0, +)
        sizes.prepend(own)
        entries.prepend(returned)
    }
}

extension EventDraft {
    /// About how many bytes the event will have.
    var size: Int {
        let texts = [
            type, screen ?? "", previousScreen ?? "", transition ?? "", presentationID ?? "", paywallSource ?? "",
        ]
        let own = properties.reduce(0) { sum, property in
            guard case .string(let text) = property.value else { return sum + property.key.utf8.count + 24 }
            return sum + property.key.utf8.count + text.utf8.count + 8
        }
        // The names of the fields, the ids, and the time.
        return 400 + own + texts.reduce(0) { $0 + $1.utf8.count }
    }
}
