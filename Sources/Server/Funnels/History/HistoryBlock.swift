import FlowEvents

/// A block of an install's history, in an ``InstallState`` that has all evidence.
///
/// The blocks divide the older evidence by time: each event belongs to the first block whose ``lastTime`` is not before
/// it, and the events after all blocks are the recent ones.
struct HistoryBlock {
    /// The number of the block's row.
    var number: Int64
    /// The time of its last event. A block that has results only repeats that of the block before it; `Int64.min`
    /// where there is none.
    var lastTime: Int64
    /// The results of the attempts that begin in the block, in order of owner, then day.
    var results: [DayOutcome] = []
}

extension InstallState {
    /// The results of all blocks and of the recent evidence, in order of owner, then day.
    var joinedResults: [DayOutcome] {
        blocks.isEmpty ? results : .joined(blocks.map(\.results) + [results])
    }

    /// The index of the block to which an event of this time belongs; the number of blocks for the recent evidence.
    func part(of time: Int64) -> Int {
        blocks.isEmpty ? 0 : blocks.partitioningIndex { $0.lastTime >= time }
    }

    /// The index of the first event of the recent evidence.
    var recentStart: Int {
        guard let last = blocks.last else { return 0 }
        return evidence.partitioningIndex { $0.time > last.lastTime }
    }

    /// The ranges of the evidence of each block, and of the recent evidence.
    func evidenceRanges() -> [Range<Int>] {
        var start = 0
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(blocks.count + 1)
        for block in blocks {
            let end = evidence[start...].partitioningIndex { $0.time > block.lastTime }
            ranges.append(start..<end)
            start = end
        }
        ranges.append(start..<evidence.count)
        return ranges
    }
}
