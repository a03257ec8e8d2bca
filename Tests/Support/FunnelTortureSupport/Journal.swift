/// What one run of an app says about its events, in a file of its own that no fault touches.
///
/// A line counts only when it ends with a line feed: the process may be killed in the middle of one.
package struct Journal: Sendable, Hashable {
    /// Consecutive events of the run, of which the tracker has said that they are on the disk.
    package struct Stored: Sendable, Hashable {
        /// Their numbers.
        package var numbers: ClosedRange<Int>
        /// How many of them the tracker has dropped before that, and said so.
        package var dropped: Int

        /// Creates a range of events.
        package init(numbers: ClosedRange<Int>, dropped: Int) {
            self.numbers = numbers
            self.dropped = dropped
        }

        /// How many were tracked.
        package var tracked: Int { numbers.count - dropped }

        /// The line that says so.
        package var line: String { "stored \(numbers.lowerBound) \(numbers.upperBound) \(dropped)\n" }
    }

    /// The run's name.
    package var run: String
    /// The phone that it was on.
    package var phone: Int
    /// Whether its events' times follow a clock that only goes forward.
    package var isSteady: Bool
    /// What was stored, in its order.
    package var stored: [Stored] = []
    /// Whether the run has delivered all that was queued.
    package var hasFinished = false

    /// Creates the journal of a run that has said nothing yet.
    package init(run: String, phone: Int, isSteady: Bool) {
        (self.run, self.phone, self.isSteady) = (run, phone, isSteady)
    }

    /// The first line.
    package var head: String { "run \(run) \(phone) \(isSteady ? "steady" : "wall")\n" }

    /// The last line of a run that has delivered everything.
    package static let end = "finished\n"

    /// How many events were tracked.
    package var tracked: Int { stored.reduce(0) { $0 + $1.tracked } }

    /// Reads a file; `nil` for one that was killed before its first line.
    package init?(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.split(separator: " ") }
        // What stands behind the last line feed is no line.
        lines.removeLast()
        guard let head = lines.first, head.count == 4, head[0] == "run", let phone = Int(head[2]) else { return nil }
        self.init(run: String(head[1]), phone: phone, isSteady: head[3] == "steady")
        for line in lines.dropFirst() {
            let numbers = line.dropFirst().compactMap { Int($0) }
            if line == ["finished"] { hasFinished = true }
            guard line.first == "stored", numbers.count == 3, numbers[0] <= numbers[1] else { continue }
            stored.append(Stored(numbers: numbers[0]...numbers[1], dropped: numbers[2]))
        }
    }
}
