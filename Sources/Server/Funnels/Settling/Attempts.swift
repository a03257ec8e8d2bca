/// The events of one actor that match a step of one funnel, in the funnel's order, and the attempts that they form.
///
/// An attempt is the greedy chain from an event that meets step 1: each next step is met by the first later event that
/// matches it. That event does not depend on the earlier events of the chain. So one pass from the end links each event
/// to its successor for every step, and each attempt follows at most one link per step. The work is events × steps,
/// however much the attempts overlap.
struct Attempts {
    /// The times in milliseconds, in order.
    private(set) var times: [Int64] = []
    /// For each event, the steps that it matches, step k as bit k − 1; never 0.
    private(set) var masks: [UInt32] = []
    // links[event * stepCount + k] is the first later event that matches step k + 1, or -1.
    private var links: [Int32] = []
    private var successor: [Int32] = []
    private var steps: [Int64] = []
    private var stepCount = 0
    private var window: Int64 = 0

    /// Removes all events for another actor or funnel, and keeps the memory.
    ///
    /// - Parameter window: in milliseconds.
    mutating func reset(stepCount: Int, window: Int64) {
        self.stepCount = stepCount
        self.window = window
        times.removeAll(keepingCapacity: true)
        masks.removeAll(keepingCapacity: true)
    }

    mutating func append(time: Int64, mask: UInt32) {
        times.append(time)
        masks.append(mask)
    }

    /// Calls `body` with each attempt in order: the index of its first event, its depth, and the milliseconds from each
    /// step met to the next. The times are valid during the call.
    mutating func forEach(_ body: (_ first: Int, _ depth: Int, _ times: ArraySlice<Int64>) -> Void) {
        link()
        steps.removeAll(keepingCapacity: true)
        steps.append(contentsOf: repeatElement(0, count: stepCount))
        for first in times.indices where masks[first] & 1 != 0 {
            let end = times[first] + window
            var depth = 1
            var event = first
            while depth < stepCount {
                let next = Int(links[event * stepCount + depth])
                guard next >= 0, times[next] <= end else { break }
                steps[depth - 1] = times[next] - times[event]
                event = next
                depth += 1
            }
            body(first, depth, steps[..<(depth - 1)])
        }
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
    }
}
