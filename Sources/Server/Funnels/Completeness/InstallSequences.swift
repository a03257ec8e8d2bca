import FlowEvents

/// Which of an install's events have arrived, by their numbers, and which it has told to have dropped.
struct InstallSequences: Equatable {
    /// More runs than that are not kept.
    ///
    /// An install has as many only where it sends every other number, or all of them in no order at all. A row of that
    /// many takes about 200 kB.
    static let maximumRunCount = 100_000

    /// Numbers further apart are no count of events; and so many sums of as many installs as there can be stay below
    /// 2⁶³.
    static let maximumSpan: Int64 = 1 << 32

    private(set) var received = SequenceRuns()
    /// All drops that the install has told.
    private(set) var told = DropCounts()
    /// Whether the numbers could not be kept, and are not any more: then the install is left out, and counted.
    private(set) var isUnchecked = false

    mutating func removeAll() {
        received.removeAll()
        told = DropCounts()
        isUnchecked = false
    }

    /// What the install adds to the sums.
    var completeness: Completeness {
        if isUnchecked { return Completeness(unchecked: 1) }
        let missing = received.missing
        // A drop before the lowest number that was seen is told, but is not missing.
        return Completeness(expected: received.expected, missing: missing, dropped: told.prefix(missing))
    }

    /// Adds what an interval has brought.
    ///
    /// - Parameters:
    ///   - runs: in any order; it is sorted here.
    ///   - notices: with the number of the event that each came by.
    /// - Returns: whether anything has changed.
    mutating func add(_ runs: inout [SequenceRuns.Run], _ notices: [PendingSequences.Notice]) -> Bool {
        guard !isUnchecked else { return false }
        if runs.count > 1 { runs.sort { $0.low < $1.low } }
        // A notice counts once, and its number tells whether it has come before.
        var known: Set<Int64> = []
        for notice in notices where !received.contains(notice.sequence) {
            guard known.insert(notice.sequence).inserted else { continue }
            let count = told[notice.notice.cause].addingReportingOverflow(notice.notice.count)
            // More than could ever be missing says no more.
            told[notice.notice.cause] = count.overflow ? Self.maximumSpan : min(count.partialValue, Self.maximumSpan)
        }
        guard received.formUnion(runs) else { return false }
        if received.runs.count > Self.maximumRunCount || received.span > Self.maximumSpan {
            removeAll()
            isUnchecked = true
        }
        return true
    }
}

// A header that is four times the number of runs, plus 1 where drops follow, or 2 where the install is unchecked. Then
// the lowest number, and by turns how far it is to a run's end and to the next one's beginning, less what it is at least.
extension InstallSequences {
    func encode(into bytes: inout [UInt8]) {
        let hasTold = told != DropCounts()
        bytes.appendVarint(UInt64(received.runs.count) * 4 + (hasTold ? 1 : 0) + (isUnchecked ? 2 : 0))
        var position: Int64 = 0
        for (index, run) in received.runs.enumerated() {
            bytes.appendVarint(UInt64(run.low - position - (index == 0 ? 0 : 2)))
            bytes.appendVarint(UInt64(run.high - run.low))
            position = run.high
        }
        guard hasTold else { return }
        for cause in DropCause.allCases { bytes.appendVarint(UInt64(told[cause])) }
    }

    /// Replaces all that is there by what stands next.
    mutating func decode(from reader: inout ByteReader) throws(DamagedBytes) {
        removeAll()
        let header = try reader.index(below: Self.maximumRunCount * 4 + 4)
        isUnchecked = header & 2 != 0
        var position: Int64 = 0
        for index in 0..<(header >> 2) {
            let low = position + (index == 0 ? 0 : 2) + Int64(try reader.index(below: 1 << 53))
            let high = low + Int64(try reader.index(below: Int(Self.maximumSpan) + 1))
            guard high < 1 << 53 else { throw DamagedBytes() }
            received.append(SequenceRuns.Run(low: low, high: high))
            position = high
        }
        guard received.span <= Self.maximumSpan else { throw DamagedBytes() }
        guard header & 1 != 0 else { return }
        for cause in DropCause.allCases { told[cause] = Int64(try reader.index(below: Int(Self.maximumSpan) + 1)) }
    }
}
