import FlowEvents

/// Counts: works out what became of each attempt of one actor in one funnel. Nothing else knows the rules of a funnel.
///
/// Live counting, a rebuild, a verification and a preview all call it. It is a pure function of the actor's events and the
/// funnel: no event depends on when it arrived.
///
/// ## The rules
///
/// The numbers are those of the semantics.
///
/// - *Order (3).* An actor's events are in order of time, sequence number, lowest step that they match, id and source.
///   ``Swift/Array/sortByLowestStep()`` puts them there.
/// - *Attempt (4).* Each event that matches step 1 begins an attempt. The next required step is met by the first later event
///   that matches it, if its time is not after the window, which begins with the attempt. One event meets one step of an
///   attempt at most.
/// - *First entries (13).* Where only first entries count, there is one attempt: from the actor's first event of step 1.
/// - *Exclusions (14).* An attempt that waits for its next required step ends at the first later event within the window that
///   matches an exclusion of this gap, unless that event meets the step.
/// - *Entries (16).* Of an attempt that met all steps, how many events match step 1 from its first event to its last.
/// - *Optional steps (21).* They change nothing of the above. Afterward, those between two required steps are met in their
///   order, each by the first event that matches it behind the step met before it, and before the event that met the next
///   required step. Where that was not met, before the event that ended the attempt, and within the window.
/// - *Next (23).* An attempt that did not meet all required steps: the actor went where the first event says that comes behind
///   the event that met its last required step, within the window. This event need not be the actor's.
///
/// Which attempt of a day counts (6 to 8) is decided where the outcomes of a day come together, see ``DayOutcome``.
///
/// ## The algorithm
///
/// Whether an event meets a step depends on the event before it in the attempt, not on the earlier ones. So one pass from the
/// actor's last event to its first links each event to the first later one for every step and every gap. An attempt then
/// follows one link for each step. The work is events × steps, however much attempts overlap.
///
/// ```swift
/// kernel.begin(events[range], by: rules)
/// while let outcome = kernel.next() { … }
/// ```
///
/// It keeps its memory for the next actor.
struct FunnelKernel {
    private var events: ArraySlice<ActorEvent> = []
    // The events that tell where the actor went.
    private var nextEvents: ArraySlice<ActorEvent> = []
    private var rules = FunnelRules()
    // links[event * stepCount + k] is the first later event that matches step k + 1, or -1. Here and below, events are
    // counted from the actor's first one.
    private var links: [Int32] = []
    // ends[event * gapCount + k] is the first later event that ends an attempt which waits behind required step k + 1, or -1.
    private var ends: [Int32] = []
    // The event that met each step of the current attempt; only for the steps that it met.
    private var met = [Int](repeating: 0, count: Funnel.maximumStepCount)
    /// The event where the actor of the current attempt went next, as ``ActorEvent/event``; `nil` where there is none, where
    /// all steps were met, and where the funnel does not ask.
    private(set) var nextEvent: Int?
    // The event with which the next attempt can begin.
    private var start = 0

    /// Begins with the events of one actor, in order, at least one.
    ///
    /// - Parameter nextEvents: the events that can tell where the actor went, in order.
    mutating func begin(
        _ events: ArraySlice<ActorEvent>,
        nextEvents: ArraySlice<ActorEvent>,
        by rules: FunnelRules
    ) {
        self.events = events
        self.nextEvents = nextEvents
        self.rules = rules
        start = 0
        guard rules.stepCount > 1 else { return }
        Self.link(&links, events, width: rules.stepCount) { $0.match.steps }
        if rules.hasExclusions { Self.link(&ends, events, width: rules.gapCount) { $0.match.exclusions } }
    }

    /// Lets go of the actor's events, which the caller can change then.
    mutating func end() {
        events = []
        nextEvents = []
    }

    /// The outcome of the next attempt; `nil` where there is none.
    mutating func next() -> Outcome? {
        while start < events.count, self[start].match.steps & 1 == 0 { start += 1 }
        guard start < events.count else { return nil }
        defer { start = rules.isFirstOnly ? events.count : start + 1 }
        let end = self[start].time + rules.window
        met[0] = start
        var steps: UInt32 = 1
        var rank = 1
        var last = start
        var ending: Int?
        while rank < rules.requiredCount {
            let step = rules.required(rank)
            let candidate = link(from: last, to: step)
            let isMet = candidate.map { self[$0].time <= end } ?? false
            if rules.hasExclusions {
                ending = exclusion(after: last, gap: rank - 1, by: end)
                if let excluded = ending, let candidate, isMet, excluded >= candidate { ending = nil }
            }
            let bound = isMet && ending == nil ? candidate : ending
            if rules.hasOptional { addOptional(after: last, behind: rank, before: bound, by: end, to: &steps) }
            guard let candidate, isMet, ending == nil else { break }
            met[step] = candidate
            steps |= 1 << UInt32(step)
            last = candidate
            rank += 1
        }
        nextEvent = nil
        if rank == rules.requiredCount {
            return Outcome(steps: steps, rank: rank, ending: .complete(entries: entryCount(from: start, through: last)))
        }
        if rules.hasNext { nextEvent = nextEvent(behind: self[last], by: end) }
        return Outcome(steps: steps, rank: rank, ending: ending == nil ? .open : .excluded)
    }

    /// The event that met a step of the current attempt, the first step as 0. The attempt must have met it.
    @inline(__always)
    func event(of step: Int) -> ActorEvent { self[met[step]] }

    private subscript(event: Int) -> ActorEvent {
        @inline(__always)
        get { events[events.startIndex + event] }
    }

    /// The first event after `event` that matches a step.
    @inline(__always)
    private func link(from event: Int, to step: Int) -> Int? {
        let next = Int(links[event * rules.stepCount + step])
        return next < 0 ? nil : next
    }

    /// The first event after `event` that ends an attempt in a gap, if it lies within the window.
    private func exclusion(after event: Int, gap: Int, by end: Int64) -> Int? {
        let next = Int(ends[event * rules.gapCount + gap])
        return next >= 0 && self[next].time <= end ? next : nil
    }

    /// Meets the optional steps behind a required step.
    ///
    /// - Parameters:
    ///   - event: the event that met the required step.
    ///   - rank: the number of required steps up to this one.
    ///   - bound: the event before which they must be met; `nil` for none.
    private mutating func addOptional(
        after event: Int,
        behind rank: Int,
        before bound: Int?,
        by end: Int64,
        to steps: inout UInt32
    ) {
        var last = event
        for step in rules.optionalSteps(behind: rank) {
            guard let next = link(from: last, to: step), next < bound ?? .max, self[next].time <= end else { continue }
            met[step] = next
            steps |= 1 << UInt32(step)
            last = next
        }
    }

    /// The first event behind another one that tells where the actor went, if it lies within the window.
    private func nextEvent(behind event: ActorEvent, by end: Int64) -> Int? {
        let index = nextEvents.partitioningIndex { event.precedes($0) }
        guard index < nextEvents.endIndex, nextEvents[index].time <= end else { return nil }
        return Int(nextEvents[index].event)
    }

    /// The number of events that match step 1, as ``Outcome/Ending/complete(entries:)`` counts them.
    private func entryCount(from first: Int, through last: Int) -> UInt8 {
        guard rules.stepCount > 1 else { return 0 }
        var count: UInt8 = 1
        var event = link(from: first, to: 0)
        while let current = event, current <= last, count < Outcome.greatestEntryCount {
            count += 1
            event = link(from: current, to: 0)
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
        _ events: ArraySlice<ActorEvent>,
        width: Int,
        by bits: (ActorEvent) -> UInt32
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
