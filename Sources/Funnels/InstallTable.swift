/// The installs that are at hand, by their ids.
///
/// An open-addressing table of our own, because a `Dictionary` would need a key object made for each look-up, and one
/// look-up is made for each event.
struct InstallTable {
    /// One install.
    struct Entry {
        fileprivate var hash: Int
        private(set) var install: [UInt8]
        /// The install's latest matching arrival of the interval; negative where there is none.
        var latestArrival: Int32 = -1
        /// The install's latest run of numbers of the interval; negative where there is none.
        var latestRun: Int32 = -1

        /// Whether the interval has anything of the install.
        var isTouched: Bool { latestArrival >= 0 || latestRun >= 0 }

        fileprivate init(hash: Int, install: [UInt8]) {
            self.hash = hash
            self.install = install
        }
    }

    var entries: [Entry] = []
    // Each is a place in `entries` plus 1, or 0; at most half are taken. Linear probing.
    private var slots = [UInt32](repeating: 0, count: 1024)

    /// The place of an install, which gets one if it has none.
    mutating func place(of install: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: install)
        let hash = hasher.finalize()
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if entries[place].hash == hash, entries[place].install.elementsEqual(bytes: install) { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        entries.append(Entry(hash: hash, install: Array(install)))
        slots[slot] = UInt32(entries.count)
        if entries.count * 2 > slots.count { grow() }
        return entries.count - 1
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
