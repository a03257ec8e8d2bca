/// The installs of one commit interval, found by their ids.
struct InstallTable: Sendable {
    /// One install.
    struct Entry: HashTableEntry, Sendable {
        /// ``InstallTable/hash(_:)`` of the install's id.
        let hash: Int
        /// The range of the id in the table's bytes.
        fileprivate let id: Range<Int>
        /// The install's latest matching arrival in the interval.
        @CompactIndex var latestArrival: TableIndex<PendingEvents>? = nil
        /// The install's latest run of sequence numbers in the interval.
        @CompactIndex var latestRun: TableIndex<PendingSequences>? = nil
    }

    typealias Index = HashTable<Entry>.Index

    private var table: HashTable<Entry>
    // The ids, one after another.
    private var bytes: [UInt8] = []

    /// - Parameter capacity: how many installs are expected.
    init(capacity: Int = 0) {
        table = HashTable(capacity: capacity)
    }

    /// The installs, in order of their first event in the interval.
    var entries: [Entry] { table.entries }

    /// The memory that the installs take, in bytes, approximately.
    var byteCount: Int { entries.count * (MemoryLayout<Entry>.stride + 16) + bytes.count }

    subscript(index: Index) -> Entry {
        @inline(__always)
        get { table[index] }
        @inline(__always)
        _modify { yield &table[index] }
    }

    /// The hash of an install's id. It is the same for all tables of a process.
    static func hash(_ install: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: install)
        return hasher.finalize()
    }

    /// Returns the index of an install, which is added if it is not in the table yet.
    mutating func index(of install: UnsafeRawBufferPointer) -> Index {
        let hash = Self.hash(install)
        if let index = table.index(hash: hash, where: { withID(of: $0) { $0.hasSameBytes(as: install) } }) {
            return index
        }
        bytes.append(contentsOf: install)
        return table.append(Entry(hash: hash, id: (bytes.count - install.count)..<bytes.count))
    }

    /// Calls `body` with the id of an install. The bytes are valid during the call.
    @inline(__always)
    func withID<R>(of entry: Entry, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[entry.id])) }
    }
}
