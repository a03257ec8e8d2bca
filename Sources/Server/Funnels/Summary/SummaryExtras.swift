/// What one attempt adds to one sum of its funnel.
struct SummaryAmount: Sendable, Hashable {
    /// The amount; 0 where there is none.
    var amount: Int64
    /// The unit as text, UTF-8; `nil` where the event has no amount.
    var unit: [UInt8]?
}

/// What a ``SummaryGroup`` has beside the number of attempts and their times: how they ended, their sums, the optional steps
/// that they met, and where their actors went next.
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
        /// The sum of the amounts' squares. An amount is at most 2⁴⁰, so it is exact for 2⁴⁷ actors.
        var squares: Int128 = 0
        var count: Int64 = 0
    }

    /// The attempts that met one optional step.
    struct OptionalStep: Sendable, Hashable {
        var met: Int64 = 0
        /// Those of them that met the required step behind it.
        var wentOn: Int64 = 0
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

    /// The number of attempts of each depth with each ``Outcome/Ending/code`` but 0, by ``endingIndex(depth:ending:)``.
    private(set) var endings: [Int64] = []
    private(set) var sums: [SumKey: SumValue] = [:]
    /// By the number of optional steps before it. There may be fewer elements than optional steps.
    private(set) var optionalSteps: [OptionalStep] = []
    /// The number of actors by place.
    private(set) var next: [NextKey: Int64] = [:]

    private static let endingCount = Outcome.greatestEntryCount

    static func endingIndex(depth: Int, ending: Int) -> Int { (depth - 1) * endingCount + ending - 1 }

    /// Whether there is none. Counts that cancel out must be removed before: see ``removeZeros()``.
    var isEmpty: Bool { endings.isEmpty && sums.isEmpty && optionalSteps.isEmpty && next.isEmpty }

    /// The least number of depths that a group with these extras has.
    var leastDepth: Int {
        let depth = (endings.count + Self.endingCount - 1) / Self.endingCount
        let rank = next.keys.reduce(0) { max($0, $1.rank) }
        return max(depth, rank, sums.isEmpty && optionalSteps.isEmpty ? 0 : 1)
    }

    /// The number of attempts of a depth with an ending other than 0.
    func count(depth: Int, ending: Int) -> Int64 {
        let index = Self.endingIndex(depth: depth, ending: ending)
        return index < endings.count ? endings[index] : 0
    }

    /// Adds attempts with one ending. Damaged counts overflow silently.
    mutating func add(depth: Int, endingCode: UInt8, count: Int64) {
        guard endingCode > 0 else { return }
        add(Self.endingIndex(depth: depth, ending: Int(endingCode)), count)
    }

    private mutating func add(_ index: Int, _ count: Int64) {
        if index >= endings.count { endings += Array(repeating: 0, count: index + 1 - endings.count) }
        endings[index] &+= count
    }

    /// Adds the amounts of attempts.
    ///
    /// - Parameter sums: the indices of the sums to which they are added.
    mutating func add(_ amounts: [SummaryAmount], to sums: [Int], count: Int64) {
        for (sum, amount) in zip(sums, amounts) {
            let key = SumKey(sum: sum, unit: amount.unit)
            let square = Int128(amount.amount) * Int128(amount.amount)
            add(SumValue(sum: amount.amount &* count, squares: square &* Int128(count), count: count), to: key)
        }
    }

    /// Adds attempts that met an optional step.
    ///
    /// - Parameters:
    ///   - number: the number of optional steps before it.
    ///   - wentOn: whether they met the required step behind it.
    mutating func add(optionalStep number: Int, wentOn: Bool, count: Int64) {
        add(OptionalStep(met: count, wentOn: wentOn ? count : 0), number)
    }

    /// The attempts that met an optional step.
    ///
    /// - Parameter number: the number of optional steps before it.
    func optionalStep(_ number: Int) -> OptionalStep {
        number < optionalSteps.count ? optionalSteps[number] : OptionalStep()
    }

    private mutating func add(_ step: OptionalStep, _ number: Int) {
        let missing = number + 1 - optionalSteps.count
        if missing > 0 { optionalSteps += Array(repeating: OptionalStep(), count: missing) }
        optionalSteps[number].met &+= step.met
        optionalSteps[number].wentOn &+= step.wentOn
    }

    /// Adds actors that went to a place.
    mutating func add(next place: NextKey, count: Int64) { next[place, default: 0] &+= count }

    /// Adds those of another group.
    mutating func add(_ other: SummaryExtras) {
        for (index, count) in other.endings.enumerated() where count != 0 { add(index, count) }
        for (key, value) in other.sums { add(value, to: key) }
        for (number, step) in other.optionalSteps.enumerated() { add(step, number) }
        for (place, count) in other.next { add(next: place, count: count) }
    }

    private mutating func add(_ value: SumValue, to key: SumKey) {
        sums[key, default: SumValue()].sum &+= value.sum
        sums[key, default: SumValue()].squares &+= value.squares
        sums[key, default: SumValue()].count &+= value.count
    }

    mutating func removeZeros() {
        while endings.last == 0 { endings.removeLast() }
        if !sums.isEmpty { sums = sums.filter { $0.value != SumValue() } }
        while optionalSteps.last == OptionalStep() { optionalSteps.removeLast() }
        if !next.isEmpty { next = next.filter { $0.value != 0 } }
    }
}

extension SummaryExtras {
    /// Appends the counts by ending, the sums, the optional steps, and the places: of each the number of entries and the
    /// entries. It leaves out what is empty at the end.
    func encode(to bytes: inout [UInt8]) {
        guard !isEmpty else { return }
        bytes.appendVarint(UInt64(endings.count { $0 != 0 }))
        for (index, count) in endings.enumerated() where count != 0 {
            bytes.appendVarint(UInt64(index))
            bytes.appendSigned(count)
        }
        guard !(sums.isEmpty && optionalSteps.isEmpty && next.isEmpty) else { return }
        bytes.appendVarint(UInt64(sums.count))
        for (key, value) in sums.sorted(by: { $0.key < $1.key }) {
            bytes.appendVarint(UInt64(key.sum) << 1 | (key.unit == nil ? 0 : 1))
            if let unit = key.unit {
                bytes.appendCounted(unit)
                bytes.appendSigned(value.sum)
                bytes.appendVarint(UInt64(truncatingIfNeeded: value.squares))
                bytes.appendSigned(Int64(truncatingIfNeeded: value.squares >> 64))
            }
            bytes.appendSigned(value.count)
        }
        guard !(optionalSteps.isEmpty && next.isEmpty) else { return }
        bytes.appendVarint(UInt64(optionalSteps.count))
        for step in optionalSteps {
            bytes.appendSigned(step.met)
            bytes.appendSigned(step.wentOn)
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
                let low = try reader.varint()
                value.squares = Int128(try reader.signed()) << 64 | Int128(low)
            }
            value.count = try reader.signed()
            add(value, to: key)
        }
        guard !reader.isAtEnd else { return }
        let stepCount = try reader.index(below: Funnel.maximumOptionalStepCount + 1)
        for number in 0..<stepCount {
            let met = try reader.signed()
            add(OptionalStep(met: met, wentOn: try reader.signed()), number)
        }
        guard !reader.isAtEnd else { return }
        for _ in 0..<(try reader.count()) {
            let rank = try reader.index(below: Funnel.maximumStepCount + 1)
            let key = NextKey(rank: rank, place: Array(try reader.counted()))
            add(next: key, count: try reader.signed())
        }
    }
}
