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
        /// The install's id if it is a UUID, so that finding the entry does not touch the row.
        let uuid: EventID?
        var row: StoredInstall?
        /// The memory of the row's arrays.
        var byteCount: Int
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
    func row(of install: InstallTable.Entry, in installs: InstallTable) -> StoredInstall? {
        let uuid = install.id.isUUID ? install.id : nil
        return index(hash: install.hash, uuid: uuid) { installs.text(of: install) }.flatMap { table[$0].row }
    }

    /// Stores a row as the store has it now. Version 0 says that the store has no row.
    mutating func put(_ row: StoredInstall, of install: InstallTable.Entry) {
        let uuid = install.id.isUUID ? install.id : nil
        let byteCount = row.cachedByteCount
        rowByteCount += byteCount
        if let index = index(hash: install.hash, uuid: uuid, text: { row.install }) {
            rowByteCount -= table[index].byteCount
            table[index].row = row
            table[index].byteCount = byteCount
            table[index].isRecent = true
        } else {
            table.append(Entry(hash: install.hash, uuid: uuid, row: row, byteCount: byteCount))
            count += 1
        }
        while self.byteCount > byteLimit, count > 0 { evictNext() }
    }

    /// Removes a row that the store may have another version of.
    mutating func remove(_ install: [UInt8]) {
        let (hash, uuid) = install.withUnsafeBytes { InstallTable.key(of: $0) }
        guard let index = index(hash: hash, uuid: uuid, text: { install }) else { return }
        remove(at: index)
    }

    /// - Parameter text: the install's id, for one that is no UUID.
    private func index(hash: Int, uuid: EventID?, text: () -> [UInt8]) -> HashTable<Entry>.Index? {
        table.index(hash: hash) { entry in
            guard let row = entry.row else { return false }
            guard let uuid else { return entry.uuid == nil && row.install == text() }
            return entry.uuid?.isSameUUID(as: uuid) ?? false
        }
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
        rowByteCount -= table[index].byteCount
        table[index].row = nil
        table[index].byteCount = 0
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
