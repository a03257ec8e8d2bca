/// An element of a ``HashTable``.
protocol HashTableEntry {
    /// The hash of the entry's key.
    var hash: Int { get }
}

/// Entries in order of insertion, found by the hash of a key that only the caller knows.
///
/// A `Dictionary` would need a key object for each lookup, and the collector looks up an install for each event. The
/// caller hashes the bytes that it has and compares them in place. Collisions use linear probing.
struct HashTable<Entry: HashTableEntry> {
    typealias Index = TableIndex<HashTable>

    private(set) var entries: [Entry] = []
    // A power of two of them, of which at most half are used.
    private var slots: [CompactIndex<HashTable>]

    /// - Parameter capacity: how many entries are expected.
    init(capacity: Int = 0) {
        var count = Self.leastSlotCount
        while count < capacity * 2 { count *= 2 }
        slots = Array(repeating: CompactIndex(wrappedValue: nil), count: count)
        entries.reserveCapacity(capacity)
    }

    /// The memory of the entries and their slots, in bytes, without what the entries refer to.
    var byteCount: Int {
        entries.capacity * MemoryLayout<Entry>.stride + slots.count * MemoryLayout<CompactIndex<HashTable>>.stride
    }

    // Both are computed, because a generic type has no stored static properties.
    /// The ``byteCount`` of an empty table.
    static var leastByteCount: Int { leastSlotCount * MemoryLayout<CompactIndex<HashTable>>.stride }

    private static var leastSlotCount: Int { 1024 }

    subscript(index: Index) -> Entry {
        @inline(__always)
        get { entries[index.offset] }
        @inline(__always)
        _modify { yield &entries[index.offset] }
    }

    /// The index of the entry with this hash for which the condition holds; `nil` where there is none.
    @inline(__always)
    func index(hash: Int, where isEqual: (Entry) -> Bool) -> Index? {
        var slot = hash & (slots.count - 1)
        while let index = slots[slot].wrappedValue {
            if entries[index.offset].hash == hash, isEqual(entries[index.offset]) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Appends an entry whose key is not in the table yet.
    @discardableResult
    mutating func append(_ entry: Entry) -> Index {
        let index = Index(entries.count)
        entries.append(entry)
        insert(index)
        if entries.count * 2 > slots.count {
            slots = Array(repeating: CompactIndex(wrappedValue: nil), count: slots.count * 2)
            for offset in entries.indices { insert(Index(offset)) }
        }
        return index
    }

    private mutating func insert(_ index: Index) {
        var slot = entries[index.offset].hash & (slots.count - 1)
        while slots[slot].wrappedValue != nil { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = CompactIndex(wrappedValue: index)
    }
}

extension HashTable: Sendable where Entry: Sendable {}
