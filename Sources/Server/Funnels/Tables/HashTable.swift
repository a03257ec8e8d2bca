/// An element of a ``HashTable``.
protocol HashTableEntry {
    /// The hash of the entry's key.
    var hash: Int { get }
}

/// Entries in order of insertion, found by the hash of a key that only the caller knows.
struct HashTable<Entry: HashTableEntry> {
    typealias Index = TableIndex<HashTable>

    private(set) var entries: [Entry] = []
    private var slots: HashSlots

    /// - Parameter capacity: how many entries are expected.
    init(capacity: Int = 0) {
        slots = HashSlots(capacity: capacity)
        entries.reserveCapacity(capacity)
    }

    /// The memory of the entries and their slots, in bytes, without what the entries refer to.
    var byteCount: Int { entries.capacity * MemoryLayout<Entry>.stride + slots.byteCount }

    subscript(index: Index) -> Entry {
        @inline(__always)
        get { entries[index.offset] }
        @inline(__always)
        _modify { yield &entries[index.offset] }
    }

    /// The index of the entry with this hash for which the condition holds; `nil` where there is none.
    @inline(__always)
    func index(hash: Int, where isEqual: (Entry) -> Bool) -> Index? {
        let offset = slots.offset(hash) { entries[$0].hash == hash && isEqual(entries[$0]) }
        return offset.map { Index($0) }
    }

    /// Appends an entry whose key is not in the table yet.
    @discardableResult
    mutating func append(_ entry: Entry) -> Index {
        entries.append(entry)
        slots.append { entries[$0].hash }
        return Index(entries.count - 1)
    }
}

extension HashTable: Sendable where Entry: Sendable {}
