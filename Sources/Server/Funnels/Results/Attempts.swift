/// The events of one actor that match a step or an exclusion of one funnel, in the funnel's order, and the attempts that
/// they form.
///
/// An attempt is the greedy chain from an event that meets step 1: each next step is met by the first later event that
/// matches it, unless an earlier event ends the attempt. Neither event depends on the earlier events of the chain. So one
/// pass from the end links each event to its successors for every step and every gap between two steps, and each attempt
/// follows at most one link per step. The work is events × steps, however much the attempts overlap.
///
/// It has the events of all actors, one actor after another, and forms the attempts of one of them after another.
struct Attempts {
    /// An event, as far as attempts need it.
    struct Event {
        /// In milliseconds.
        var time: Int64
        var sequence: Int64
        /// The steps that it matches, step k as bit k − 1.
        var mask: UInt32
        /// The gaps in which it ends an attempt.
        var exclusions: UInt32
        var signature: SignatureTable.Index
        var actor: CompactIndex<StringTable>

        /// An event that matches an exclusion only comes before all steps.
        fileprivate var lowestStep: Int { mask == 0 ? -1 : mask.trailingZeroBitCount }
    }

    /// The events of all actors.
    private(set) var events: [Event] = []
    /// The number of steps that the current attempt has met.
    private(set) var depth = 0
    /// As ``DayBest/ending``, of the current attempt.
    private(set) var ending: UInt8 = 0
    // The milliseconds from each step that the current attempt has met to the next, and the events that met the steps;
    // behind these, those of earlier attempts.
    private var times = [Int64](repeating: 0, count: Funnel.maximumStepCount)
    private var chain = [Int](repeating: 0, count: Funnel.maximumStepCount)
    // links[event * stepCount + k] is the first later event that matches step k + 1, or -1. Here and in what follows,
    // events are counted from the actor's first one.
    private var links: [Int32] = []
    // ends[event * (stepCount - 1) + k] is the first later event that ends an attempt which has met k + 1 steps, or -1.
    private var ends: [Int32] = []
    // The current actor's events, and the index of the one with which the next attempt can begin.
    private var start = 0
    private var count = 0
    private var next = 0
    private var stepCount = 0
    private var window: Int64 = 0
    private var hasExclusions = false

    mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
    }

    /// Appends an event, in the order of events.
    @inline(__always)
    mutating func append(_ event: Event) {
        events.append(event)
    }

    /// Puts the events in the funnel's order, one actor after another.
    mutating func sort() {
        sortByLowestStep()
        for index in events.indices.dropFirst() where events[index].actor < events[index - 1].actor {
            // The sort need not be stable, so the offset breaks ties.
            let order = events.indices.sorted { (events[$0].actor, $0) < (events[$1].actor, $1) }
            events = order.map { events[$0] }
            return
        }
    }

    /// Among equal times and sequences, the lowest step decides before the id and the source.
    private mutating func sortByLowestStep() {
        var start = 0
        while start < events.count {
            var end = start + 1
            while end < events.count, events[end].time == events[start].time,
                events[end].sequence == events[start].sequence
            {
                end += 1
            }
            if end - start > 1 {
                let run = events[start..<end].enumerated().sorted {
                    ($0.element.lowestStep, $0.offset) < ($1.element.lowestStep, $1.offset)
                }
                events.replaceSubrange(start..<end, with: run.map(\.element))
            }
            start = end
        }
    }

    /// Begins with the attempts of the actor whose events begin at an index.
    ///
    /// - Returns: the index behind its last event.
    mutating func begin(at start: Int, _ funnel: InstallRules.FunnelRules) -> Int {
        var end = start + 1
        while end < events.count, events[end].actor == events[start].actor { end += 1 }
        self.start = start
        count = end - start
        next = 0
        stepCount = funnel.stepCount
        window = funnel.window
        hasExclusions = funnel.hasExclusions
        if stepCount > 1 {
            Self.link(&links, events[start..<end], width: stepCount, by: \.mask)
            if hasExclusions { Self.link(&ends, events[start..<end], width: stepCount - 1, by: \.exclusions) }
        }
        return end
    }

    /// The first event of the current attempt.
    @inline(__always)
    var first: Event { events[start + chain[0]] }

    /// The event that met a step of the current attempt, the first step as 0.
    func event(of step: Int) -> Event { events[start + chain[step]] }

    /// The milliseconds from each step met to the next, of the current attempt.
    var stepTimes: ArraySlice<Int64> { times[..<(depth - 1)] }

    /// Forms the next attempt.
    ///
    /// - Returns: whether there is one.
    mutating func advance() -> Bool {
        while next < count, events[start + next].mask & 1 == 0 { next += 1 }
        guard next < count else { return false }
        let first = next
        next += 1
        let end = events[start + first].time + window
        var event = first
        var isExcluded = false
        chain[0] = first
        depth = 1
        while depth < stepCount {
            let next = Int(links[event * stepCount + depth])
            let isMet = next >= 0 && events[start + next].time <= end
            if hasExclusions, isEnded(after: event, by: end, before: isMet ? next : .max) {
                isExcluded = true
                break
            }
            guard isMet else { break }
            times[depth - 1] = events[start + next].time - events[start + event].time
            chain[depth] = next
            event = next
            depth += 1
        }
        ending = depth == stepCount ? entryCount(from: first, through: event) : isExcluded ? 1 : 0
        return true
    }

    /// Whether an exclusion ends the current attempt, whose last step was met by `event`.
    private func isEnded(after event: Int, by end: Int64, before next: Int) -> Bool {
        let ending = Int(ends[event * (stepCount - 1) + depth - 1])
        return ending >= 0 && events[start + ending].time <= end && ending < next
    }

    /// The number of events that match step 1, as ``DayBest/ending`` counts them.
    private func entryCount(from first: Int, through last: Int) -> UInt8 {
        guard stepCount > 1 else { return 0 }
        var count: UInt8 = 1
        var event = Int(links[first * stepCount])
        while event >= 0, event <= last, count < DayBest.greatestEnding {
            count += 1
            event = Int(links[event * stepCount])
        }
        return count
    }

    /// Links each event to the first later one with each of some bits: the next event, or what this is linked to.
    ///
    /// - Parameters:
    ///   - links: receives `width` links for each event, at least.
    ///   - bits: the bits of an event.
    @inline(__always)
    private static func link(
        _ links: inout [Int32],
        _ events: ArraySlice<Event>,
        width: Int,
        by bits: (Event) -> UInt32
    ) {
        let missing = events.count * width - links.count
        if missing > 0 { links.append(contentsOf: repeatElement(-1, count: missing)) }
        // A span checks only once that nothing else refers to the array.
        var links = links.mutableSpan
        var row = (events.count - 1) * width
        for bit in row..<(row + width) { links[bit] = -1 }
        for event in (0..<(events.count - 1)).reversed() {
            let next = bits(events[events.startIndex + event + 1])
            row -= width
            for bit in 0..<width {
                links[row + bit] = next & (1 << UInt32(bit)) != 0 ? Int32(event + 1) : links[row + width + bit]
            }
        }
    }
}
