import FlowEvents

/// The sequence numbers received from an install, and the drops that the install has reported.
struct InstallSequences: Equatable {
    /// The greatest number of runs.
    ///
    /// Only an install that sends every second number, or its numbers in random order, has so many. A row with so many
    /// runs takes about 200 kB.
    static let maximumRunCount = 100_000

    /// The greatest distance between the lowest and the highest number. No install sends more events, and the sums over
    /// all installs stay below 2⁶³.
    static let maximumSpan: Int64 = 1 << 32

    /// The greatest gap that counts as missing events.
    ///
    /// An install that tracks an event every second, and loses all of them, needs eleven days for such a gap. A wider
    /// gap comes from a forged or damaged number: it would add up to 2³² missing events, for good.
    static let maximumGap: Int64 = 1_000_000

    private(set) var received = SequenceRuns()
    /// All drops that the install has reported.
    private(set) var reported = DropCounts()
    /// Whether the counts leave the install out, because its numbers exceed a limit.
    ///
    /// Numbers with a gap above ``maximumGap`` are kept, and the install counts again when the gap has become smaller.
    /// Numbers that exceed another limit are not kept, and the install is left out for good.
    private(set) var isUnchecked = false

    private var isUncheckedForGood: Bool { isUnchecked && received.runs.isEmpty }

    mutating func removeAll() {
        received.removeAll()
        reported = DropCounts()
        isUnchecked = false
    }

    /// The install's counts.
    var completeness: Completeness {
        if isUnchecked { return Completeness(unchecked: 1) }
        let missing = received.missing
        // An event dropped before the lowest received number is reported, but is not missing.
        return Completeness(expected: received.expected, missing: missing, dropped: reported.prefix(missing))
    }

    /// Adds the numbers and notices of an interval.
    ///
    /// - Parameters:
    ///   - runs: the runs, in any order; sorted on return.
    ///   - notices: the notices of dropped events.
    /// - Returns: whether the sequences have changed.
    mutating func add(_ runs: inout [SequenceRuns.Run], _ notices: [PendingSequences.Notice]) -> Bool {
        guard !isUncheckedForGood else { return false }
        if runs.count > 1 { runs.sort { $0.low < $1.low } }
        // A notice counts once. It is a repeat if its number was received before.
        var known: Set<Int64> = []
        for notice in notices where !received.contains(notice.sequence) {
            guard known.insert(notice.sequence).inserted else { continue }
            let count = reported[notice.notice.cause].addingReportingOverflow(notice.notice.count)
            // No more events than that can be missing.
            reported[notice.notice.cause] =
                count.overflow ? Self.maximumSpan : min(count.partialValue, Self.maximumSpan)
        }
        let hasNewNumbers = received.formUnion(runs)
        if received.runs.count > Self.maximumRunCount || received.span > Self.maximumSpan {
            removeAll()
            isUnchecked = true
            return true
        }
        isUnchecked = received.hasGap(above: Self.maximumGap)
        return hasNewNumbers
    }
}

// The coding begins with four times the number of runs, plus 1 where drops follow, plus 2 where the install is
// unchecked. Each run is encoded as the distance from the end of the previous run to its lowest number, minus the least
// possible distance 2, and the distance to its highest number.
extension InstallSequences {
    /// A number of bytes that the encoded sequences do not exceed.
    var greatestEncodedByteCount: Int { 10 * (1 + 2 * received.runs.count + DropCause.allCases.count) }

    func encode(into bytes: inout some ByteSink) {
        let hasReported = reported != DropCounts()
        bytes.appendVarint(UInt64(received.runs.count) * 4 + (hasReported ? 1 : 0) + (isUnchecked ? 2 : 0))
        var position: Int64 = 0
        for (index, run) in received.runs.enumerated() {
            bytes.appendVarint(UInt64(run.low - position - (index == 0 ? 0 : 2)))
            bytes.appendVarint(UInt64(run.high - run.low))
            position = run.high
        }
        guard hasReported else { return }
        for cause in DropCause.allCases { bytes.appendVarint(UInt64(reported[cause])) }
    }

    /// Replaces the sequences by encoded ones.
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
        for cause in DropCause.allCases { reported[cause] = Int64(try reader.index(below: Int(Self.maximumSpan) + 1)) }
    }
}
