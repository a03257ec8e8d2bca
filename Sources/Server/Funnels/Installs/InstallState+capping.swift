import FlowEvents

extension InstallState {
    /// Whether the install has had more than `limit` distinct matching events on `spanDays` consecutive days.
    func isAbove(_ limit: Int, spanDays: Int) -> Bool {
        guard evidence.count + removed.days.reduce(0, { $0 + $1.count }) > limit else { return false }
        var counts = removed
        for event in evidence { counts.add(day: Day(containing: Timestamp(milliseconds: event.time))) }
        var sum = 0
        var first = 0
        for last in counts.days {
            sum += last.count
            while Int(counts.days[first].day) + spanDays <= Int(last.day) {
                sum -= counts.days[first].count
                first += 1
            }
            if sum > limit { return true }
        }
        return false
    }

    /// Removes the install from all funnels: of its state only the mark and the sequences are kept.
    mutating func cap() {
        let sequences = sequences
        removeAll()
        self.sequences = sequences
        isCapped = true
    }
}
