import FlowEvents

/// The matching events of an install on one day: how many they are, and how many bytes their texts take.
struct DayCount: Equatable {
    var day: Int32
    var count: Int
    /// The bytes of the events' texts.
    var bytes = 0
}

extension [DayCount] {
    /// Counts events. The days stay in order.
    mutating func add(day: Day, count: Int = 1, bytes: Int) {
        // Most events are of the last day.
        if let last, last.day == day.number {
            self[self.count - 1].count += count
            self[self.count - 1].bytes += bytes
            return
        }
        let index = partitioningIndex { $0.day >= day.number }
        if index < self.count, self[index].day == day.number {
            self[index].count += count
            self[index].bytes += bytes
        } else {
            insert(DayCount(day: day.number, count: count, bytes: bytes), at: index)
        }
    }

    /// Whether `spanDays` consecutive days have more than `count` events, or more than `bytes` bytes of text.
    func isAbove(count: Int, bytes: Int, spanDays: Int) -> Bool {
        var sum = (count: 0, bytes: 0)
        var first = 0
        for last in self {
            sum.count += last.count
            sum.bytes += last.bytes
            while Int(self[first].day) + spanDays <= Int(last.day) {
                sum.count -= self[first].count
                sum.bytes -= self[first].bytes
                first += 1
            }
            if sum.count > count || sum.bytes > bytes { return true }
        }
        return false
    }

    func encode(into bytes: inout some ByteSink) {
        bytes.appendVarint(UInt64(count))
        for entry in self {
            bytes.appendSigned(Int64(entry.day))
            bytes.appendVarint(UInt64(entry.count))
            bytes.appendVarint(UInt64(entry.bytes))
        }
    }

    /// A number of bytes that the encoded counts do not exceed.
    var greatestEncodedByteCount: Int { 10 + count * 30 }

    /// Reads what ``encode(into:)`` has written.
    init(from reader: inout ByteReader) throws(DamagedBytes) {
        self.init()
        for _ in 0..<(try reader.count()) {
            guard let day = Int32(exactly: try reader.signed()), InstallState.days.contains(day),
                last.map({ $0.day < day }) ?? true
            else { throw DamagedBytes() }
            let count = try reader.index(below: 1 << 40)
            append(DayCount(day: day, count: count, bytes: try reader.index(below: 1 << 50)))
        }
    }
}
