/// An event of an actor, as far as the rules of one funnel look at it.
struct ActorEvent {
    /// In milliseconds since 1970.
    var time: Int64
    var sequence: Int64
    /// What the event means to the funnel.
    var match: FunnelMatch
    /// The number by which the caller knows the event: of two events of the same time and sequence number, the one that comes
    /// first by id and source has the lower number.
    var event: Int32
    /// The actor: a session, a value of the field to count by, or `nil` where installs are counted.
    var actor: CompactIndex<StringTable>

    /// Whether it comes before another event of the install in the order of rule 3.
    func precedes(_ other: ActorEvent) -> Bool {
        if time != other.time { return time < other.time }
        if sequence != other.sequence { return sequence < other.sequence }
        return (match.lowestStep, event) < (other.match.lowestStep, other.event)
    }
}

extension [ActorEvent] {
    /// Puts events that are in order of time, sequence number, id and source into the order of rule 3: among equal times and
    /// sequence numbers, the lowest step decides before the id and the source.
    mutating func sortByLowestStep() {
        var start = 0
        while start < count {
            var end = start + 1
            while end < count, self[end].time == self[start].time, self[end].sequence == self[start].sequence {
                end += 1
            }
            if end - start > 1 {
                // The sort need not be stable, so the offset breaks ties.
                let run = self[start..<end].enumerated().sorted {
                    ($0.element.match.lowestStep, $0.offset) < ($1.element.match.lowestStep, $1.offset)
                }
                replaceSubrange(start..<end, with: run.map(\.element))
            }
            start = end
        }
    }

    /// Puts the events of one actor after those of another, and keeps their order.
    mutating func groupByActor() {
        for index in indices.dropFirst() where self[index].actor < self[index - 1].actor {
            let order = indices.sorted { (self[$0].actor, $0) < (self[$1].actor, $1) }
            self = order.map { self[$0] }
            return
        }
    }
}
