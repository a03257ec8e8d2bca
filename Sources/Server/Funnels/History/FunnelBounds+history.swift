// The sizes of an install's recent state and of the rows of its history.
extension FunnelBounds {
    /// The number of newest events that stay recent.
    ///
    /// Events stay recent until they are one longest window and ``slack`` older than the oldest of these. Measured so,
    /// one event whose time is far ahead does not move the others to blocks. Each commit reads and writes the recent
    /// events of an install, so few are faster.
    var recentCount: Int { max(1, eventsPerBlock / 8) }
    /// The time for which events are expected to come in another order than they were tracked, in milliseconds.
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
