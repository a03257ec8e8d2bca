/// The rows of recently active installs: a bounded cache in front of the store.
///
/// When the rows take more memory than the limit, those that were not written for the longest time leave, roughly: the
/// [clock algorithm](https://en.wikipedia.org/wiki/Page_replacement_algorithm#Clock). A hand goes over the rows again and
/// again. It evicts a row that was not written since it came by last. This needs no list of uses, and an install that
/// appears once does not evict one that appears often.
struct InstallCache {
    private var table = HashTable<Entry>()
    private let byteLimit: Int
    /// The number of rows in the cache.
    private(set) var count = 0
    private var rowByteCount = 0
    /// The offset in the table of the entry that the hand comes to next.
    private var hand = 0
    /// Whether a row was ever evicted: then the store may have a row that the cache does not have.
    private(set) var hasEvicted = false

    /// A row. One that is removed leaves an entry without it.
    private struct Entry: HashTableEntry {
        let hash: Int
        var row: StoredInstall?
        /// Whether the row was written since the hand came by.
        var isRecent = true
    }

    /// - Parameter byteLimit: the greatest ``byteCount``.
    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The memory that the rows and what the table has grown by take, in bytes.
    var byteCount: Int { rowByteCount + table.byteCount - HashTable<Entry>.leastByteCount }

    /// The row of an install; `nil` where the cache does not have it.
    func row(of install: UnsafeRawBufferPointer, hash: Int) -> StoredInstall? {
        index(of: install, hash: hash).flatMap { table[$0].row }
    }

    /// Stores a row as the store has it now. Version 0 says that the store has no row.
    mutating func put(_ row: StoredInstall, hash: Int) {
        rowByteCount += row.cachedByteCount
        if let index = row.install.withUnsafeBytes({ index(of: $0, hash: hash) }) {
            rowByteCount -= table[index].row?.cachedByteCount ?? 0
            table[index].row = row
            table[index].isRecent = true
        } else {
            table.append(Entry(hash: hash, row: row))
            count += 1
        }
        while byteCount > byteLimit, count > 0 { evictNext() }
    }

    /// Removes a row that the store may have another version of.
    mutating func remove(_ install: [UInt8]) {
        let hash = install.withUnsafeBytes { InstallTable.hash($0) }
        guard let index = install.withUnsafeBytes({ index(of: $0, hash: hash) }) else { return }
        remove(at: index)
    }

    private func index(of install: UnsafeRawBufferPointer, hash: Int) -> HashTable<Entry>.Index? {
        table.index(hash: hash) { $0.row?.install.elementsEqual(bytes: install) ?? false }
    }

    private mutating func evictNext() {
        if hand >= table.entries.count { hand = 0 }
        let index = HashTable<Entry>.Index(hand)
        hand += 1
        if table[index].isRecent {
            table[index].isRecent = false
        } else if table[index].row != nil {
            remove(at: index)
        }
    }

    private mutating func remove(at index: HashTable<Entry>.Index) {
        rowByteCount -= table[index].row?.cachedByteCount ?? 0
        table[index].row = nil
        count -= 1
        hasEvicted = true
        // Entries without rows take memory, and the hand has to pass them.
        guard table.entries.count > 2 * count + Self.leastEntryCount else { return }
        var rest = HashTable<Entry>(capacity: count)
        for offset in hand..<(hand + table.entries.count) {
            let entry = table.entries[offset % table.entries.count]
            if entry.row != nil { rest.append(entry) }
        }
        table = rest
        hand = 0
    }

    private static let leastEntryCount = 8
}

extension StoredInstall {
    /// The memory of the row's arrays. The entry in the table has the row itself.
    fileprivate var cachedByteCount: Int {
        install.allocatedByteCount + state.allocatedByteCount + history.allocatedByteCount
            + history.reduce(0) { $0 + $1.state.allocatedByteCount }
    }
}
