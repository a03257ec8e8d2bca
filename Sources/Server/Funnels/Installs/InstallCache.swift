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

    /// A row, in as little memory as it needs: there are many of them. One that is removed leaves an entry without it.
    private struct Entry: HashTableEntry {
        let hash: Int
        /// The install's id if it is a UUID or a short text.
        let id: EventID
        /// Whether the row was written since the hand came by.
        var isRecent = true
        var hasRow = true
        var version: Int64
        var state: [UInt8]
        var history: [HistoryRow]
        /// The install's id if it is a long text; else empty.
        let text: [UInt8]

        /// The install's id as text.
        var install: [UInt8] { id.text == nil ? id.textInPlace : text }

        /// The memory of the row's arrays.
        var byteCount: Int {
            text.allocatedByteCount + state.allocatedByteCount + history.allocatedByteCount
                + history.reduce(0) { $0 + $1.state.allocatedByteCount }
        }

        /// - Parameter hasText: whether a text is the install's id, where that is a long text.
        @inline(__always)
        func isRow(of id: EventID, hasText: (_ text: [UInt8]) -> Bool) -> Bool {
            guard id.text == nil else { return hasRow && self.id.text != nil && hasText(text) }
            return hasRow && self.id.isSameInPlace(as: id)
        }
    }

    // The id of an entry whose install is a long text.
    private static let longText = EventID(text: TableIndex(0))

    /// - Parameter byteLimit: the greatest ``byteCount``.
    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The memory that the rows and what the table has grown by take, in bytes.
    var byteCount: Int { rowByteCount + table.byteCount }

    /// The row of an install; `nil` where the cache does not have it.
    func row(of install: InstallTable.Entry, in installs: InstallTable) -> StoredInstall? {
        let index = index(install.hash, install.id) { text in
            text.withUnsafeBytes { text in installs.withText(of: install) { $0.hasSameBytes(as: text) } }
        }
        guard let index else { return nil }
        let entry = table[index]
        return StoredInstall(
            install: entry.install,
            version: entry.version,
            state: entry.state,
            history: entry.history
        )
    }

    /// Stores a row as the store has it now. Version 0 says that the store has no row.
    mutating func put(_ row: StoredInstall, of install: InstallTable.Entry) {
        if let index = index(install.hash, install.id, hasText: { $0 == row.install }) {
            rowByteCount -= table[index].byteCount
            table[index].version = row.version
            table[index].state = row.state
            table[index].history = row.history
            table[index].isRecent = true
            rowByteCount += table[index].byteCount
        } else {
            let entry = Entry(
                hash: install.hash,
                id: install.id.text == nil ? install.id : Self.longText,
                version: row.version,
                state: row.state,
                history: row.history,
                text: install.id.text == nil ? [] : row.install
            )
            rowByteCount += entry.byteCount
            table.append(entry)
            count += 1
        }
        while byteCount > byteLimit, count > 0 { evictNext() }
    }

    /// Removes a row that the store may have another version of.
    mutating func remove(_ install: [UInt8]) {
        let (hash, id) = install.withUnsafeBytes { InstallTable.key(of: $0) }
        guard let index = index(hash, id ?? Self.longText, hasText: { $0 == install }) else { return }
        remove(at: index)
    }

    /// - Parameter hasText: whether a text is the install's id, where that is a long text.
    private func index(_ hash: Int, _ id: EventID, hasText: (_ text: [UInt8]) -> Bool) -> HashTable<Entry>.Index? {
        table.index(hash: hash) { $0.isRow(of: id, hasText: hasText) }
    }

    private mutating func evictNext() {
        if hand >= table.entries.count { hand = 0 }
        let index = HashTable<Entry>.Index(hand)
        hand += 1
        if table[index].isRecent {
            table[index].isRecent = false
        } else if table[index].hasRow {
            remove(at: index)
        }
    }

    private mutating func remove(at index: HashTable<Entry>.Index) {
        rowByteCount -= table[index].byteCount
        table[index].hasRow = false
        table[index].state = []
        table[index].history = []
        count -= 1
        hasEvicted = true
        // Entries without rows take memory, and the hand has to pass them.
        guard table.entries.count > 2 * count + Self.leastEntryCount else { return }
        var rest = HashTable<Entry>(capacity: count)
        for offset in hand..<(hand + table.entries.count) {
            let entry = table.entries[offset % table.entries.count]
            if entry.hasRow { rest.append(entry) }
        }
        table = rest
        hand = 0
    }

    private static let leastEntryCount = 8
}
