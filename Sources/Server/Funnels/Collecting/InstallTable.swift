/// The installs of one interval, by their ids.
///
/// An open-addressing table of our own, because a `Dictionary` would need a key object made for each look-up, and one
/// look-up is made for each event.
struct InstallTable: Sendable {
    /// One install.
    struct Entry: Sendable {
        /// ``InstallTable/hash(_:)`` of its id.
        fileprivate(set) var hash: Int
        fileprivate var start: Int
        fileprivate var count: Int
        /// The install's latest matching arrival of the interval; negative where there is none.
        var latestArrival: Int32 = -1
        /// The install's latest run of numbers of the interval; negative where there is none.
        var latestRun: Int32 = -1
    }

    /// In the order in which they came.
    var entries: [Entry] = []
    private var bytes: [UInt8] = []
    // Each is a place in `entries` plus 1, or 0; at most half are taken. Linear probing.
    private var slots: [UInt32]

    /// - Parameter capacity: how many installs are expected.
    init(capacity: Int = 0) {
        var count = 1024
        while count < capacity * 2 { count *= 2 }
        slots = Array(repeating: 0, count: count)
        entries.reserveCapacity(capacity)
    }

    /// The hash by which installs are found, the same for all tables of a process.
    static func hash(_ install: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: install)
        return hasher.finalize()
    }

    /// The place of an install, which gets one if it has none.
    mutating func place(of install: UnsafeRawBufferPointer) -> Int {
        let hash = Self.hash(install)
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if entries[place].hash == hash, withInstall(place, { $0.hasSameBytes(as: install) }) { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        entries.append(Entry(hash: hash, start: bytes.count, count: install.count))
        bytes.append(contentsOf: install)
        slots[slot] = UInt32(entries.count)
        if entries.count * 2 > slots.count { grow() }
        return entries.count - 1
    }

    /// Lends an install's id.
    func withInstall<R>(_ place: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let entry = entries[place]
        return bytes.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[entry.start..<(entry.start + entry.count)]))
        }
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (place, entry) in entries.enumerated() {
            var slot = entry.hash & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(place + 1)
        }
    }
}
