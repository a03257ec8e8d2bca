/// What the attempts of a ``SummaryGroup`` have beside their outcomes and times: their sums, and where their actors went next.
struct SummaryDetails: Sendable, Hashable {
    /// A sum of one unit; of the attempts without an amount, where the unit is `nil`.
    struct SumKey: Sendable, Hashable, Comparable {
        /// The index of the step with the sum.
        var step: Int
        /// The unit as text, UTF-8.
        var unit: [UInt8]?

        static func < (lhs: SumKey, rhs: SumKey) -> Bool {
            if lhs.step != rhs.step { return lhs.step < rhs.step }
            guard let unit = rhs.unit else { return false }
            return lhs.unit?.lexicographicallyPrecedes(unit) ?? true
        }
    }

    struct SumValue: Sendable, Hashable {
        var sum: Int64 = 0
        /// The sum of the amounts' squares. An amount is at most 2⁴⁰, so it is exact for 2⁴⁷ actors.
        var squares: Int128 = 0
        var count: Int64 = 0
    }

    /// A place where the actors went whose attempts met a number of required steps.
    struct NextKey: Sendable, Hashable, Comparable {
        var rank: Int
        /// The place as text, UTF-8.
        var place: [UInt8]

        static func < (lhs: NextKey, rhs: NextKey) -> Bool {
            lhs.rank != rhs.rank ? lhs.rank < rhs.rank : lhs.place.lexicographicallyPrecedes(rhs.place)
        }
    }

    private(set) var sums: [SumKey: SumValue] = [:]
    /// The number of actors by place.
    private(set) var next: [NextKey: Int64] = [:]

    /// Whether there is none. Counts that cancel out must be removed before: see ``removeZeros()``.
    var isEmpty: Bool { sums.isEmpty && next.isEmpty }

    /// Adds a number of equal amounts. Damaged numbers overflow silently.
    ///
    /// - Parameters:
    ///   - amount: in the last decimal; 0 where there is none.
    ///   - key: the sum.
    mutating func add(_ amount: Int64, to key: SumKey, count: Int64) {
        let square = Int128(amount) * Int128(amount)
        add(SumValue(sum: amount &* count, squares: square &* Int128(count), count: count), to: key)
    }

    private mutating func add(_ value: SumValue, to key: SumKey) {
        sums[key, default: SumValue()].sum &+= value.sum
        sums[key, default: SumValue()].squares &+= value.squares
        sums[key, default: SumValue()].count &+= value.count
    }

    /// Adds actors that went to a place.
    mutating func add(next place: NextKey, count: Int64) { next[place, default: 0] &+= count }

    /// Adds those of another group.
    mutating func add(_ other: SummaryDetails) {
        for (key, value) in other.sums { add(value, to: key) }
        for (place, count) in other.next { add(next: place, count: count) }
    }

    mutating func removeZeros() {
        if !sums.isEmpty { sums = sums.filter { $0.value != SumValue() } }
        if !next.isEmpty { next = next.filter { $0.value != 0 } }
    }
}

extension SummaryDetails {
    /// Appends the sums and the places: of each the number of entries and the entries. It leaves out what is empty at the end.
    func encode(to bytes: inout [UInt8]) {
        guard !isEmpty else { return }
        bytes.appendVarint(UInt64(sums.count))
        for (key, value) in sums.sorted(by: { $0.key < $1.key }) {
            bytes.appendVarint(UInt64(key.step) << 1 | (key.unit == nil ? 0 : 1))
            if let unit = key.unit {
                bytes.appendCounted(unit)
                bytes.appendSigned(value.sum)
                bytes.appendVarint(UInt64(truncatingIfNeeded: value.squares))
                bytes.appendSigned(Int64(truncatingIfNeeded: value.squares >> 64))
            }
            bytes.appendSigned(value.count)
        }
        guard !next.isEmpty else { return }
        bytes.appendVarint(UInt64(next.count))
        for (key, count) in next.sorted(by: { $0.key < $1.key }) {
            bytes.appendVarint(UInt64(key.rank))
            bytes.appendCounted(key.place)
            bytes.appendSigned(count)
        }
    }

    /// Adds what ``encode(to:)`` has appended.
    mutating func add(from reader: inout ByteReader) throws(DamagedBytes) {
        guard !reader.isAtEnd else { return }
        for _ in 0..<(try reader.count()) {
            let code = try reader.index(below: Funnel.maximumStepCount * 2)
            var key = SumKey(step: code >> 1)
            var value = SumValue()
            if code & 1 != 0 {
                key.unit = Array(try reader.counted())
                value.sum = try reader.signed()
                let low = try reader.varint()
                value.squares = Int128(try reader.signed()) << 64 | Int128(low)
            }
            value.count = try reader.signed()
            add(value, to: key)
        }
        guard !reader.isAtEnd else { return }
        for _ in 0..<(try reader.count()) {
            let rank = try reader.index(below: Funnel.maximumStepCount + 1)
            let key = NextKey(rank: rank, place: Array(try reader.counted()))
            add(next: key, count: try reader.signed())
        }
    }
}
