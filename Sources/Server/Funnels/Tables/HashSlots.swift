/// Finds the elements of a table by their hashes.
///
/// A `Dictionary` would need a key object for each lookup, and an event is looked up by bytes that lie in its record.
/// The caller hashes these bytes and compares them in place. Collisions use linear probing.
///
/// ```swift
/// let known = slots.offset(hash) { entries[$0].name == name }
/// ```
struct HashSlots: Sendable {
    // By hash the offset of an element plus 1, 0 for an empty slot. At most half of them are used.
    private var slots: [Int32]
    /// The number of elements.
    private(set) var count = 0

    /// - Parameter capacity: how many elements are expected.
    init(capacity: Int = 0) {
        var slotCount = 0
        while slotCount < capacity * 2 { slotCount = Self.grown(slotCount) }
        slots = Array(repeating: 0, count: slotCount)
    }

    /// The memory of the slots, in bytes.
    var byteCount: Int { slots.count * MemoryLayout<Int32>.stride }

    /// The offset of the element with this hash for which the condition holds; `nil` where there is none.
    @inline(__always)
    func offset(_ hash: Int, where isEqual: (Int) -> Bool) -> Int? {
        guard !slots.isEmpty else { return nil }
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 {
            let offset = Int(slots[slot]) - 1
            if isEqual(offset) { return offset }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds the element at the end of the table.
    ///
    /// - Parameter hash: returns the hash of each element.
    mutating func append(hash: (Int) -> Int) {
        count += 1
        if count * 2 > slots.count {
            slots = Array(repeating: 0, count: Self.grown(slots.count))
            for offset in 0..<count { enter(offset, hash(offset)) }
        } else {
            enter(count - 1, hash(count - 1))
        }
    }

    mutating func removeAll() {
        if count > 0 { self = HashSlots() }
    }

    private mutating func enter(_ offset: Int, _ hash: Int) {
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(offset + 1)
    }

    private static func grown(_ count: Int) -> Int { max(128, count * 2) }
}
