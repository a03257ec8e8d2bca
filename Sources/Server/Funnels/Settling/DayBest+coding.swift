extension DayBest {
    /// Encodes everything but the owner.
    func encode(into bytes: inout [UInt8]) {
        bytes.appendSigned(Int64(day.number))
        bytes.appendVarint(UInt64(depth))
        for time in times { bytes.appendVarint(UInt64(time)) }
    }

    /// Reads what ``encode(into:)`` has written.
    init(of owner: Owner, from reader: inout ByteReader) throws(DamagedBytes) {
        guard let day = Int32(exactly: try reader.signed()), InstallState.days.contains(day) else {
            throw DamagedBytes()
        }
        let depth = try reader.index(below: Funnel.maximumStepCount + 1)
        guard depth > 0 else { throw DamagedBytes() }
        var times: [Int64] = []
        if depth > 1 {
            times.reserveCapacity(depth - 1)
            for _ in 1..<depth { times.append(Int64(try reader.index(below: Int(Funnel.maximumWindow) + 1))) }
        }
        self.init(owner: owner, day: Day(number: day), depth: depth, times: times)
    }
}
