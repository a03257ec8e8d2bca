/// The rows of recently active installs: a bounded cache in front of the store.
///
/// The cache has two generations, as in the
/// [second-chance algorithm](https://en.wikipedia.org/wiki/Page_replacement_algorithm#Second-chance). A row that is
/// written goes to the young generation. When the young generation takes half of the limit, it becomes the old one, and
/// rows of the previous old generation that were not written since are evicted. This needs no list of uses, and an
/// install that appears once does not evict one that appears often.
struct InstallCache {
    private var young = Generation()
    private var old = Generation()
    private let byteLimit: Int
    /// Whether a row was ever evicted: then the store may have a row that the cache does not have.
    private(set) var hasEvicted = false

    /// - Parameter byteLimit: the greatest ``byteCount``.
    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The number of rows in the cache.
    var count: Int { young.count + old.count }

    /// The memory that the rows and the tables take, in bytes.
    var byteCount: Int { young.byteCount + old.byteCount }

    /// The row of an install; `nil` where the cache does not have it.
    func row(of install: UnsafeRawBufferPointer, hash: Int) -> StoredInstall? {
        if let index = young.index(of: install, hash: hash) { return young.row(at: index) }
        if let index = old.index(of: install, hash: hash) { return old.row(at: index) }
        return nil
    }

    /// Stores a row as the store has it now. Version 0 says that the store has no row.
    mutating func put(_ row: StoredInstall, hash: Int) {
        row.install.withUnsafeBytes { install in
            if let index = young.index(of: install, hash: hash) { return young.replace(at: index, by: row) }
            if let index = old.index(of: install, hash: hash) { old.remove(at: index) }
            young.append(row, hash: hash)
        }
        guard young.byteCount > byteLimit / 2 else { return }
        hasEvicted = hasEvicted || old.count > 0
        old = young
        young = Generation()
    }

    /// Removes a row that the store may have another version of.
    mutating func remove(_ install: [UInt8]) {
        install.withUnsafeBytes { install in
            let hash = InstallTable.hash(install)
            if let index = young.index(of: install, hash: hash) {
                young.remove(at: index)
                hasEvicted = true
            } else if let index = old.index(of: install, hash: hash) {
                old.remove(at: index)
                hasEvicted = true
            }
        }
    }
}

/// Rows by install. A row that is removed leaves an empty entry.
private struct Generation {
    struct Entry: HashTableEntry {
        let hash: Int
        var row: StoredInstall?
    }

    private var table = HashTable<Entry>()
    private(set) var count = 0
    private var rowByteCount = 0

    /// The memory of the rows and of what the table has grown by.
    var byteCount: Int { rowByteCount + table.byteCount - HashTable<Entry>.leastByteCount }

    func index(of install: UnsafeRawBufferPointer, hash: Int) -> HashTable<Entry>.Index? {
        table.index(hash: hash) { $0.row?.install.elementsEqual(bytes: install) ?? false }
    }

    func row(at index: HashTable<Entry>.Index) -> StoredInstall? { table[index].row }

    mutating func replace(at index: HashTable<Entry>.Index, by row: StoredInstall) {
        rowByteCount += row.cachedByteCount - (table[index].row?.cachedByteCount ?? 0)
        table[index].row = row
    }

    mutating func remove(at index: HashTable<Entry>.Index) {
        rowByteCount -= table[index].row?.cachedByteCount ?? 0
        table[index].row = nil
        count -= 1
    }

    mutating func append(_ row: StoredInstall, hash: Int) {
        table.append(Entry(hash: hash, row: row))
        count += 1
        rowByteCount += row.cachedByteCount
    }
}

extension StoredInstall {
    /// The memory of the row's arrays. The entry in the table has the row itself.
    fileprivate var cachedByteCount: Int {
        install.allocatedByteCount + state.allocatedByteCount + history.allocatedByteCount
            + history.reduce(0) { $0 + $1.state.allocatedByteCount }
    }
}
