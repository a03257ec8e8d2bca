/// The sizes of an install's recent state and of the blocks of its history.
///
/// They affect the cost of an event, never the counts. Tests use small sizes.
package struct HistoryShape: Sendable, Hashable {
    /// The number of newest events that stay recent.
    ///
    /// Events stay recent until they are one longest window and ``slack`` older than the oldest of these. Measured so,
    /// one event whose time is far ahead does not move the others to blocks. Each commit reads and writes the recent
    /// events of an install, so few are faster.
    package var recentCount = 4
    /// The time for which events are expected to come in another order than they were tracked, in milliseconds.
    package var slack: Int64 = 3_600_000
    /// The number of events in a block. Those with the time of its last one are added, however many they are.
    package var eventsPerBlock = 32
    /// The greatest number of outcomes in a block without events.
    package var outcomesPerBlock = 128
    /// The greatest number of fingerprints in one row of the index.
    package var fingerprintsPerRow = 1024
    /// The greatest number of actors without recent outcomes whose outcomes stay in the recent state.
    package var ownerCount = 64
    /// The greatest number of older outcomes of one actor that stay in the recent state.
    package var dayCount = 16

    package init() {}
}
