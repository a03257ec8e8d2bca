@testable import Funnels

/// Equal attempts of one day, from which tests make segments.
struct SummaryRecord {
    var gaps: DayGaps
    var depth: Int
    /// The milliseconds from each step met to the next: `depth - 1` numbers.
    var times: [Int64]
    /// How many attempts are added; negative where they are removed.
    var count: Int64
    var endingCode: UInt8 = 0
    var amounts: [SummaryAmount] = []
}

extension SummaryGroup {
    mutating func add(_ record: SummaryRecord) {
        add(depth: record.depth, endingCode: record.endingCode, times: record.times, count: record.count)
        add(record.amounts, to: Array(record.amounts.indices), count: record.count)
    }
}

extension SummarySegment {
    static func encoded(_ records: [SummaryRecord]) -> [UInt8] {
        var groups: [DayGaps: SummaryGroup] = [:]
        for record in records { groups[record.gaps, default: SummaryGroup()].add(record) }
        return encoded(groups)
    }
}
