/// The rows that are at hand: a cache with a bound over the store.
///
/// Two generations, a [second chance](https://en.wikipedia.org/wiki/Page_replacement_algorithm#Second-chance): what is
/// put goes to the young one; when that has half of the bytes, it becomes the old one and what was old and has not been
/// put since is gone. It costs no list of uses, and an install that comes once does not push out one that comes often.
struct InstallCache {
    private var young = Generation()
    private var old = Generation()
    private let byteLimit: Int
    /// Whether a row was ever let go of, so that one that is not here may be in the store.
    private(set) var hasEvicted = false

    /// - Parameter byteLimit: how much it may take, ``byteCount``.
    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The rows at hand.
    var count: Int { young.liveCount + old.liveCount }

    /// What they take in memory, roughly.
    var byteCount: Int { young.byteCount + old.byteCount }

    /// The row of an install; `nil` where it is not at hand.
    func row(of install: UnsafeRawBufferPointer, hash: Int) -> StoredInstall? {
        if let place = young.place(of: install, hash: hash) { return young.entries[place].row }
        if let place = old.place(of: install, hash: hash) { return old.entries[place].row }
        return nil
    }

    /// Takes over a row as it is in the store now; version 0 is that it is not there.
    mutating func put(_ row: StoredInstall, hash: Int) {
        row.install.withUnsafeBytes { install in
            if let place = young.place(of: install, hash: hash) { return young.replace(place, by: row) }
            if let place = old.place(of: install, hash: hash) { old.remove(place) }
            young.append(row, hash: hash)
        }
        guard young.byteCount > byteLimit / 2 else { return }
        hasEvicted = hasEvicted || old.liveCount > 0
        old = young
        young = Generation()
    }
}

/// Rows by install; one that is removed leaves an empty place.
private struct Generation {
    struct Entry {
        let hash: Int
        var row: StoredInstall?
    }

    private(set) var entries: [Entry] = []
    private(set) var liveCount = 0
    private(set) var byteCount = 0
    // As in InstallTable.
    private var slots = [UInt32](repeating: 0, count: 1024)

    func place(of install: UnsafeRawBufferPointer, hash: Int) -> Int? {
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if entries[place].hash == hash, entries[place].row?.install.elementsEqual(bytes: install) ?? false {
                return place
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    mutating func replace(_ place: Int, by row: StoredInstall) {
        byteCount += row.cachedByteCount - (entries[place].row?.cachedByteCount ?? 0)
        entries[place].row = row
    }

    mutating func remove(_ place: Int) {
        byteCount -= entries[place].row?.cachedByteCount ?? 0
        entries[place].row = nil
        liveCount -= 1
    }

    mutating func append(_ row: StoredInstall, hash: Int) {
        entries.append(Entry(hash: hash, row: row))
        liveCount += 1
        byteCount += row.cachedByteCount
        insert(entries.count - 1)
        if entries.count * 2 > slots.count {
            slots = Array(repeating: 0, count: slots.count * 2)
            for place in entries.indices { insert(place) }
        }
    }

    private mutating func insert(_ place: Int) {
        var slot = entries[place].hash & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(place + 1)
    }
}

extension StoredInstall {
    /// The two arrays with their headers and what allocation rounds up, the entry, and its slots.
    fileprivate var cachedByteCount: Int { install.count + state.count + 2 * (32 + 8) + 32 + 12 }
}
