import FlowEvents

/// What is left of an install's evidence that was removed because it is past.
struct RemovedEvidence: Equatable {
    /// The horizon that it was removed by: an earlier event could no longer be judged. `nil` where nothing was removed.
    var horizon: Int64?
    /// How many events of each day were removed, the days ascending; days that no event to come can share the span of
    /// ``FunnelBounds/evidenceDays(of:)`` with are left out.
    var days: [DayCount] = []

    struct DayCount: Equatable {
        var day: Int32
        var count: Int
    }

    /// Takes note of one event.
    mutating func add(day: Day) {
        // Days come in order nearly always: those of a funnel with a longer window come later.
        var index = days.count
        while index > 0, days[index - 1].day > day.number { index -= 1 }
        if index > 0, days[index - 1].day == day.number {
            days[index - 1].count += 1
        } else {
            days.insert(DayCount(day: day.number, count: 1), at: index)
        }
    }
}

extension InstallState {
    private enum Mark {
        static let nothing: UInt8 = 0
        static let removed: UInt8 = 1
        static let capped: UInt8 = 2
    }

    func encodeBounds(into bytes: inout [UInt8]) {
        if isCapped { return bytes.append(Mark.capped) }
        guard let horizon = past.horizon else { return bytes.append(Mark.nothing) }
        bytes.append(Mark.removed)
        bytes.appendSigned(horizon)
        bytes.appendVarint(UInt64(past.days.count))
        for entry in past.days {
            bytes.appendSigned(Int64(entry.day))
            bytes.appendVarint(UInt64(entry.count))
        }
    }

    mutating func decodeBounds(from reader: inout ByteReader) throws(DamagedBytes) {
        switch try reader.byte() {
        case Mark.nothing: return
        case Mark.capped: isCapped = true
        case Mark.removed:
            let horizon = try reader.signed()
            guard Self.times.contains(horizon) else { throw DamagedBytes() }
            past.horizon = horizon
            for _ in 0..<(try reader.count()) {
                guard let day = Int32(exactly: try reader.signed()), Self.days.contains(day),
                    past.days.last.map({ $0.day < day }) ?? true
                else { throw DamagedBytes() }
                past.days.append(RemovedEvidence.DayCount(day: day, count: try reader.index(below: 1 << 40)))
            }
        default: throw DamagedBytes()
        }
    }
}
