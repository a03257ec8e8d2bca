/// The installs of one commit interval, found by their ids.
struct InstallTable: Sendable {
    /// One install.
    struct Entry: HashTableEntry, Sendable {
        /// The hash of the install's id, see ``InstallTable/key(of:)``.
        let hash: Int
        /// The install's id. A long text is in the table's texts.
        let id: EventID
        /// The install's latest matching event in the interval.
        @CompactIndex var latestEvent: TableIndex<PendingEvents>? = nil
        /// The install's latest run of sequence numbers in the interval.
        @CompactIndex var latestRun: TableIndex<PendingSequences>? = nil
    }

    typealias Index = HashTable<Entry>.Index

    private var table: HashTable<Entry>
    private var texts = EventIDTexts()

    /// - Parameter capacity: how many installs are expected.
    init(capacity: Int = 0) {
        table = HashTable(capacity: capacity)
    }

    /// The installs, in order of their first event in the interval.
    var entries: [Entry] { table.entries }

    /// The memory that the installs take, in bytes, approximately.
    var byteCount: Int { entries.count * (MemoryLayout<Entry>.stride + 12) + texts.byteCount }

    subscript(index: Index) -> Entry {
        @inline(__always)
        get { table[index] }
        @inline(__always)
        _modify { yield &table[index] }
    }

    /// The hash of an install's id, and the id if it is a UUID or a short text. They are the same for all tables of a
    /// process.
    @inline(__always)
    static func key(of install: UnsafeRawBufferPointer) -> (hash: Int, inPlace: EventID?) {
        var hasher = Hasher()
        guard let id = EventID(inPlace: install) else {
            hasher.combine(bytes: install)
            return (hasher.finalize(), nil)
        }
        // Less than half of the bytes of a UUID's text.
        hasher.combine(id.high)
        hasher.combine(id.low)
        return (hasher.finalize(), id)
    }

    /// Returns the index of an install, which is added if it is not in the table yet.
    mutating func index(of install: UnsafeRawBufferPointer) -> Index {
        let (hash, inPlace) = Self.key(of: install)
        let known = table.index(hash: hash) { entry in
            inPlace.map { entry.id.isSameInPlace(as: $0) } ?? texts.isText(entry.id, install)
        }
        return known ?? table.append(Entry(hash: hash, id: inPlace ?? texts.id(of: install)))
    }

    /// The id of an install, as text.
    func text(of entry: Entry) -> [UInt8] { texts.text(of: entry.id) }

    /// Calls `body` with the id of an install, as text. The bytes are valid during the call.
    @inline(__always)
    func withText<R>(of entry: Entry, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        texts.withText(of: entry.id, body)
    }

    /// The offsets of the installs in the order of the bytes of their ids.
    func order() -> [Int] {
        // The first eight bytes nearly always differ, and compare as one number.
        var keys = entries.enumerated().map { (prefix: prefix(of: $1), offset: $0) }
        keys.sort { lhs, rhs in
            if lhs.prefix != rhs.prefix { return lhs.prefix < rhs.prefix }
            return withText(of: entries[lhs.offset]) { left in
                withText(of: entries[rhs.offset]) { left.precedes($0) }
            }
        }
        return keys.map(\.offset)
    }

    /// The first eight bytes of an install's id as a number, zeros behind a shorter id.
    private func prefix(of entry: Entry) -> UInt64 {
        guard entry.id.text != nil else { return entry.id.textPrefix }
        return texts.withText(of: entry.id) { bytes in
            (0..<8).reduce(0) { $0 << 8 | ($1 < bytes.count ? UInt64(bytes[$1]) : 0) }
        }
    }
}
