/// The events of one actor that match a step or an exclusion of one funnel, in the funnel's order, and the attempts that
/// they form.
///
/// An attempt is the greedy chain from an event that meets step 1: each next step is met by the first later event that
/// matches it, unless an earlier event ends the attempt. Neither event depends on the earlier events of the chain. So one
/// pass from the end links each event to its successors for every step and every gap between two steps, and each attempt
/// follows at most one link per step. The work is events × steps, however much the attempts overlap.
struct Attempts {
    /// The times in milliseconds, in order.
    private(set) var times: [Int64] = []
    /// For each event, the steps that it matches, step k as bit k − 1.
    private(set) var masks: [UInt32] = []
    // For each event, the gaps in which it ends an attempt; empty where the funnel has no exclusions.
    private var exclusions: [UInt32] = []
    // links[event * stepCount + k] is the first later event that matches step k + 1, or -1.
    private var links: [Int32] = []
    // ends[event * (stepCount - 1) + k] is the first later event that ends an attempt which has met k + 1 steps, or -1.
    private var ends: [Int32] = []
    private var successor: [Int32] = []
    private var steps: [Int64] = []
    // The events that met the steps of the current attempt.
    private var chain: [Int] = []
    private var stepCount = 0
    private var window: Int64 = 0
    private var hasExclusions = false

    /// One attempt. The arrays are valid while the attempts are not changed.
    struct Attempt {
        /// The number of steps met.
        var depth: Int
        /// As ``DayBest/ending``.
        var ending: UInt8
        /// The milliseconds from each step met to the next.
        var times: ArraySlice<Int64>
        /// The indices of the events that met the steps, which can be more steps than `depth`.
        var events: [Int]
    }

    /// Removes all events for another actor or funnel, and keeps the memory.
    ///
    /// - Parameter window: in milliseconds.
    mutating func reset(stepCount: Int, window: Int64, hasExclusions: Bool = false) {
        self.stepCount = stepCount
        self.window = window
        self.hasExclusions = hasExclusions
        times.removeAll(keepingCapacity: true)
        masks.removeAll(keepingCapacity: true)
        exclusions.removeAll(keepingCapacity: true)
    }

    /// Appends an event of a funnel without exclusions.
    mutating func append(time: Int64, mask: UInt32) {
        times.append(time)
        masks.append(mask)
    }

    /// Appends an event of a funnel with exclusions.
    mutating func append(time: Int64, mask: UInt32, exclusions: UInt32) {
        append(time: time, mask: mask)
        self.exclusions.append(exclusions)
    }

    /// Calls `body` with each attempt in order, until it returns `false`.
    mutating func forEach(_ body: (Attempt) -> Bool) {
        link()
        steps.removeAll(keepingCapacity: true)
        steps.append(contentsOf: repeatElement(0, count: stepCount))
        chain.removeAll(keepingCapacity: true)
        chain.append(contentsOf: repeatElement(0, count: stepCount))
        for first in times.indices where masks[first] & 1 != 0 {
            let end = times[first] + window
            var depth = 1
            var event = first
            var isExcluded = false
            chain[0] = first
            while depth < stepCount {
                let next = Int(links[event * stepCount + depth])
                let isMet = next >= 0 && times[next] <= end
                if hasExclusions, isEnded(after: event, depth: depth, by: end, before: isMet ? next : .max) {
                    isExcluded = true
                    break
                }
                guard isMet else { break }
                steps[depth - 1] = times[next] - times[event]
                chain[depth] = next
                event = next
                depth += 1
            }
            let ending = depth == stepCount ? entryCount(from: first, through: event) : isExcluded ? 1 : 0
            let times = steps[..<(depth - 1)]
            guard body(Attempt(depth: depth, ending: ending, times: times, events: chain)) else { return }
        }
    }

    /// Whether an exclusion ends the attempt that has met `depth` steps, the last of them by `event`.
    private func isEnded(after event: Int, depth: Int, by end: Int64, before next: Int) -> Bool {
        let ending = Int(ends[event * (stepCount - 1) + depth - 1])
        return ending >= 0 && times[ending] <= end && ending < next
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

    private mutating func link() {
        links.removeAll(keepingCapacity: true)
        links.append(contentsOf: repeatElement(-1, count: times.count * stepCount))
        successor.removeAll(keepingCapacity: true)
        successor.append(contentsOf: repeatElement(-1, count: stepCount))
        for event in times.indices.reversed() {
            for step in 0..<stepCount { links[event * stepCount + step] = successor[step] }
            for step in 0..<stepCount where masks[event] & (1 << UInt32(step)) != 0 {
                successor[step] = Int32(event)
            }
        }
        if hasExclusions { linkEnds() }
    }

    private mutating func linkEnds() {
        let gapCount = stepCount - 1
        ends.removeAll(keepingCapacity: true)
        ends.append(contentsOf: repeatElement(-1, count: times.count * gapCount))
        for gap in 0..<gapCount { successor[gap] = -1 }
        for event in times.indices.reversed() {
            for gap in 0..<gapCount { ends[event * gapCount + gap] = successor[gap] }
            for gap in 0..<gapCount where exclusions[event] & (1 << UInt32(gap)) != 0 {
                successor[gap] = Int32(event)
            }
        }
    }
}
