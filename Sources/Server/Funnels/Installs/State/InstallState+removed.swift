import FlowEvents

extension InstallState {
    private enum Mark {
        static let none: UInt8 = 0
        static let removed: UInt8 = 1
        static let capped: UInt8 = 2
        // Version 2 of the coding had no bytes for each day.
        static let removedWithBytes: UInt8 = 3
    }

    /// Appends whether the install is capped, and the summary of its removed evidence.
    func encodeBounds(into bytes: inout some ByteSink) {
        if isCapped { return bytes.append(Mark.capped) }
        guard let horizon = removed.horizon else { return bytes.append(Mark.none) }
        bytes.append(Mark.removedWithBytes)
        bytes.appendSigned(horizon)
        removed.days.encode(into: &bytes)
    }

    mutating func decodeBounds(from reader: inout ByteReader) throws(DamagedBytes) {
        let mark = try reader.byte()
        switch mark {
        case Mark.none: return
        case Mark.capped: isCapped = true
        case Mark.removed, Mark.removedWithBytes:
            let horizon = try reader.signed()
            guard Self.times.contains(horizon) else { throw DamagedBytes() }
            removed.horizon = horizon
            removed.days = try [DayCount](from: &reader, hasBytes: mark == Mark.removedWithBytes)
        default: throw DamagedBytes()
        }
    }
}
