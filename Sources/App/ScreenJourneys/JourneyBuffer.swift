/// Visits that wait to be written. When it is full the oldest go, for the newest say more about where the user is.
struct JourneyBuffer: Sendable {
    let limit: Int
    private var visits: [ScreenVisit] = []
    private var lost = 0
    private var isScheduled = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a visit, and says whether someone has to be sent to write it.
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

    /// Takes all that waits, and how many were lost.
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
