import FlowEvents

extension InstallState {
    private enum Mark {
        static let none: UInt8 = 0
        static let removed: UInt8 = 1
        static let capped: UInt8 = 2
    }

    /// Appends whether the install is capped, and the summary of its removed evidence.
    func encodeBounds(into bytes: inout [UInt8]) {
        if isCapped { return bytes.append(Mark.capped) }
        guard let horizon = removed.horizon else { return bytes.append(Mark.none) }
        bytes.append(Mark.removed)
        bytes.appendSigned(horizon)
        bytes.appendVarint(UInt64(removed.days.count))
        for entry in removed.days {
            bytes.appendSigned(Int64(entry.day))
            bytes.appendVarint(UInt64(entry.count))
        }
    }

    mutating func decodeBounds(from reader: inout ByteReader) throws(DamagedBytes) {
        switch try reader.byte() {
        case Mark.none: return
        case Mark.capped: isCapped = true
        case Mark.removed:
            let horizon = try reader.signed()
            guard Self.times.contains(horizon) else { throw DamagedBytes() }
            removed.horizon = horizon
            for _ in 0..<(try reader.count()) {
                guard let day = Int32(exactly: try reader.signed()), Self.days.contains(day),
                    removed.days.last.map({ $0.day < day }) ?? true
                else { throw DamagedBytes() }
                removed.days.append(RemovedEvidence.DayCount(day: day, count: try reader.index(below: 1 << 40)))
            }
        default: throw DamagedBytes()
        }
    }
}
