/// Visits that wait to be written. If the buffer is full, the oldest visits are dropped.
struct JourneyBuffer: Sendable {
    let limit: Int
    private var visits: [ScreenVisit] = []
    private var lost = 0
    private var isScheduled = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a visit.
    ///
    /// - Returns: whether the caller must start a task that writes it.
    mutating func add(_ visit: ScreenVisit) -> Bool {
        if visits.count >= limit {
            let surplus = max(1, limit / 10)
            visits.removeFirst(surplus)
            lost += surplus
        }
        visits.append(visit)
        defer { isScheduled = true }
        return !isScheduled
    }

    /// Removes and returns the waiting visits, and the number of dropped ones.
    mutating func take() -> (visits: [ScreenVisit], lost: Int) {
        defer { removeAll() }
        return (visits, lost)
    }

    mutating func removeAll() {
        visits = []
        lost = 0
        isScheduled = false
    }
}
