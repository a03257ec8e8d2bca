/// The details of the attempts of a ``SummaryGroup``, added up by their subjects and texts.
struct SummaryDetails: Sendable, Hashable {
    /// What is added up.
    struct Key: Sendable, Hashable {
        var subject: OutcomeDetail.Subject
        /// The unit or the place as text, UTF-8; `nil` for the attempts without an amount.
        var text: [UInt8]?
    }

    /// A number of attempts and the sums of their amounts.
    struct Value: Sendable, Hashable {
        var count: Int64 = 0
        var sum: Int64 = 0
        /// The sum of the amounts' squares. An amount is at most 2⁴⁰, so it is exact for 2⁴⁷ actors.
        var squares: Int128 = 0

        // Damaged numbers overflow silently.
        fileprivate static func += (lhs: inout Value, rhs: Value) {
            lhs.count &+= rhs.count
            lhs.sum &+= rhs.sum
            lhs.squares &+= rhs.squares
        }
    }

    private(set) var values: [Key: Value] = [:]

    /// Whether there is none. Values that cancel out must be removed before: see ``removeZeros()``.
    var isEmpty: Bool { values.isEmpty }

    /// The values of a subject that attempts have, in the order of their texts. The one without a text comes first.
    func values(of subject: OutcomeDetail.Subject) -> [(text: [UInt8]?, value: Value)] {
        values.lazy.filter { $0.key.subject == subject && $0.value.count != 0 }
            .sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
    }

    /// Adds a number of equal details.
    mutating func add(_ amount: Int64, to key: Key, count: Int64) {
        let square = Int128(amount) * Int128(amount)
        add(Value(count: count, sum: amount &* count, squares: square &* Int128(count)), to: key)
    }

    private mutating func add(_ value: Value, to key: Key) { values[key, default: Value()] += value }

    /// Adds those of another group.
    mutating func add(_ other: SummaryDetails) {
        for (key, value) in other.values { add(value, to: key) }
    }

    mutating func removeZeros() {
        if !values.isEmpty { values = values.filter { $0.value != Value() } }
    }
}

extension SummaryDetails.Key: Comparable {
    static func < (lhs: Self, rhs: Self) -> Bool {
        if lhs.subject != rhs.subject { return lhs.subject.code < rhs.subject.code }
        guard let text = rhs.text else { return false }
        return lhs.text?.lexicographicallyPrecedes(text) ?? true
    }
}

// The number of values, then the values. Of each comes the code of its subject, with a bit that says whether it has a text and
// one that says whether it has sums, the text, the sums, and the count.
extension SummaryDetails {
    func encode(to bytes: inout [UInt8]) {
        guard !isEmpty else { return }
        bytes.appendVarint(UInt64(values.count))
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let hasSums = value.sum != 0 || value.squares != 0
            bytes.appendVarint(UInt64(key.subject.code) << 2 | (key.text == nil ? 0 : 1) | (hasSums ? 2 : 0))
            if let text = key.text { bytes.appendCounted(text) }
            if hasSums {
                bytes.appendSigned(value.sum)
                bytes.appendVarint(UInt64(truncatingIfNeeded: value.squares))
                bytes.appendSigned(Int64(truncatingIfNeeded: value.squares >> 64))
            }
            bytes.appendSigned(value.count)
        }
    }

    /// Adds what ``encode(to:)`` has appended.
    mutating func add(from reader: inout ByteReader) throws(DamagedBytes) {
        guard !reader.isAtEnd else { return }
        for _ in 0..<(try reader.count()) {
            let code = try reader.index(below: OutcomeDetail.Subject.codeCount << 2)
            var key = Key(subject: OutcomeDetail.Subject(code: code >> 2))
            var value = Value()
            if code & 1 != 0 { key.text = Array(try reader.counted()) }
            if code & 2 != 0 {
                value.sum = try reader.signed()
                let low = try reader.varint()
                value.squares = Int128(try reader.signed()) << 64 | Int128(low)
            }
            value.count = try reader.signed()
            add(value, to: key)
        }
    }
}
