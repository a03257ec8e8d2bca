// The sizes of an install's recent state and of the rows of its history.
extension FunnelBounds {
    /// The number of newest events that stay recent.
    ///
    /// An event stays recent until it is one longest window and ``slack`` older than the oldest of these. So one event whose
    /// time is far ahead does not move the others to blocks. Each commit reads and writes the recent events of an install, so
    /// few are faster.
    var recentCount: Int { max(1, eventsPerBlock / 8) }
    /// How far out of order the events of an install are expected to come, in milliseconds.
    static let slack: Int64 = 3_600_000
    /// The greatest number of outcomes in a block without events.
    var outcomesPerBlock: Int { 4 * eventsPerBlock }
    /// The greatest number of fingerprints in one row of the index.
    var fingerprintsPerRow: Int { 32 * eventsPerBlock }
    /// The greatest number of actors without recent outcomes whose outcomes stay in the recent state.
    var ownerCount: Int { 2 * eventsPerBlock }
    /// The greatest number of older outcomes of one actor that stay in the recent state.
    var dayCount: Int { max(1, eventsPerBlock / 2) }
}
