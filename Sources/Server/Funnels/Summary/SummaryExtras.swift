/// What one attempt adds to one sum of its funnel.
struct SummaryAmount: Sendable, Hashable {
    /// The amount; 0 where there is none.
    var amount: Int64
    /// The unit as text, UTF-8; `nil` where the event has no amount.
    var unit: [UInt8]?
}

/// What a ``SummaryGroup`` has beside the number of attempts and their times: how they ended, and their sums.
struct SummaryExtras: Sendable, Hashable {
    /// A sum of one unit; of the attempts without an amount, where the unit is `nil`.
    struct SumKey: Sendable, Hashable, Comparable {
        /// The index of the sum in the funnel.
        var sum: Int
        var unit: [UInt8]?

        static func < (lhs: SumKey, rhs: SumKey) -> Bool {
            if lhs.sum != rhs.sum { return lhs.sum < rhs.sum }
            guard let unit = rhs.unit else { return false }
            return lhs.unit?.lexicographicallyPrecedes(unit) ?? true
        }
    }

    struct SumValue: Sendable, Hashable {
        var sum: Int64 = 0
        var count: Int64 = 0
    }

    /// The number of attempts of each depth with each ``Outcome/Ending/code`` but 0, by ``endingIndex(depth:ending:)``.
    private(set) var endings: [Int64] = []
    private(set) var sums: [SumKey: SumValue] = [:]

    private static let endingCount = Outcome.greatestEntryCount

    static func endingIndex(depth: Int, ending: Int) -> Int { (depth - 1) * endingCount + ending - 1 }

    /// Whether there is none. Counts that cancel out must be removed before: see ``removeZeros()``.
    var isEmpty: Bool { endings.isEmpty && sums.isEmpty }

    /// The least number of depths that a group with these extras has.
    var leastDepth: Int {
        let depth = (endings.count + Self.endingCount - 1) / Self.endingCount
        return sums.isEmpty ? depth : max(1, depth)
    }

    /// The number of attempts of a depth with an ending other than 0.
    func count(depth: Int, ending: Int) -> Int64 {
        let index = Self.endingIndex(depth: depth, ending: ending)
        return index < endings.count ? endings[index] : 0
    }

    /// Adds attempts with one ending. Damaged counts overflow silently.
    mutating func add(depth: Int, ending: UInt8, count: Int64) {
        guard ending > 0 else { return }
        add(Self.endingIndex(depth: depth, ending: Int(ending)), count)
    }

    private mutating func add(_ index: Int, _ count: Int64) {
        if index >= endings.count { endings += Array(repeating: 0, count: index + 1 - endings.count) }
        endings[index] &+= count
    }

    /// Adds the amounts of attempts.
    mutating func add(_ amounts: [SummaryAmount], count: Int64) {
        for (index, amount) in amounts.enumerated() {
            let key = SumKey(sum: index, unit: amount.unit)
            add(SumValue(sum: amount.amount &* count, count: count), to: key)
        }
    }

    /// Adds those of another group.
    mutating func add(_ other: SummaryExtras) {
        for (index, count) in other.endings.enumerated() where count != 0 { add(index, count) }
        for (key, value) in other.sums { add(value, to: key) }
    }

    private mutating func add(_ value: SumValue, to key: SumKey) {
        sums[key, default: SumValue()].sum &+= value.sum
        sums[key, default: SumValue()].count &+= value.count
    }

    mutating func removeZeros() {
        while endings.last == 0 { endings.removeLast() }
        if !sums.isEmpty { sums = sums.filter { $0.value != SumValue() } }
    }
}

extension SummaryExtras {
    /// Appends the counts by ending, then the sums: of each the number of entries and the entries. It appends nothing
    /// where there is none, as older versions did.
    func encode(to bytes: inout [UInt8]) {
        guard !isEmpty else { return }
        bytes.appendVarint(UInt64(endings.count { $0 != 0 }))
        for (index, count) in endings.enumerated() where count != 0 {
            bytes.appendVarint(UInt64(index))
            bytes.appendSigned(count)
        }
        guard !sums.isEmpty else { return }
        bytes.appendVarint(UInt64(sums.count))
        for (key, value) in sums.sorted(by: { $0.key < $1.key }) {
            bytes.appendVarint(UInt64(key.sum) << 1 | (key.unit == nil ? 0 : 1))
            if let unit = key.unit {
                bytes.appendCounted(unit)
                bytes.appendSigned(value.sum)
            }
            bytes.appendSigned(value.count)
        }
    }

    /// Adds what ``encode(to:)`` has appended.
    mutating func add(from reader: inout ByteReader) throws(DamagedBytes) {
        guard !reader.isAtEnd else { return }
        for _ in 0..<(try reader.count()) {
            let index = try reader.index(below: Funnel.maximumStepCount * Self.endingCount)
            add(index, try reader.signed())
        }
        guard !reader.isAtEnd else { return }
        for _ in 0..<(try reader.count()) {
            let code = try reader.index(below: Funnel.maximumStepCount * 2)
            var key = SumKey(sum: code >> 1)
            var value = SumValue()
            if code & 1 != 0 {
                key.unit = Array(try reader.counted())
                value.sum = try reader.signed()
            }
            value.count = try reader.signed()
            add(value, to: key)
        }
    }
}
