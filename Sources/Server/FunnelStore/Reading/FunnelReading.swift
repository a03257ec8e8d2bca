public import Funnels

/// Where a report is read from: a store that somebody else may be writing at the same time.
///
/// The calls block; one value belongs to one thread at a time.
public protocol FunnelReading {
    /// The funnels that the store counts, in the order of the funnels file.
    var funnels: [Funnel] { get }

    /// Runs `body` on one unchanging state of the store, so that all that a report shows belongs together.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R
}
