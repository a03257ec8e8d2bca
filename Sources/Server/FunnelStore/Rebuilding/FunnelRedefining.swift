public import Funnels

/// A store whose funnels can be changed while consumers count in it.
///
/// A store has a *generation*, which each ``redefine(_:)`` makes one more. A consumer remembers the generation of the
/// funnels that it opened the store with, and each of its commits compares it inside its own transaction. Either the
/// commit comes first, and the redefinition sees what it wrote; or the redefinition comes first, and the commit changes
/// nothing and says ``CommitOutcome/redefined(identity:progress:)``. So no row ever has both old and new in it, whatever
/// the consumers know.
///
/// The calls block; one value belongs to one thread at a time.
public protocol FunnelRedefining {
    /// What the store belongs to; `nil` where no consumer has opened it yet.
    func identity() throws(StoreError) -> StoreIdentity?

    /// How far each partition has been taken in now.
    func progress() throws(StoreError) -> [PartitionProgress]

    /// Runs `body` in one transaction in which nobody else writes, and makes all that it writes true, or, where it
    /// throws or the process ends, none of it.
    ///
    /// Consumers wait with their commits meanwhile, reports see the old state.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    func redefine<R>(_ body: (any StoreRedefinition) throws -> R) throws -> R
}

/// The store inside of ``FunnelRedefining/redefine(_:)``. Its calls see what was written before.
public protocol StoreRedefinition {
    /// What the store belongs to.
    func identity() throws -> StoreIdentity?

    /// How far each partition has been taken in.
    func progress() throws -> [PartitionProgress]

    /// The keys of the rows that these installs have or would have, in their order: a store may keep a long id by its
    /// hash.
    func keys(of installs: [[UInt8]]) throws -> [[UInt8]]

    /// The first rows whose keys come after `key`, in one order of keys; ``StoredInstall/install`` is the key.
    ///
    /// - Parameters:
    ///   - key: the last row's of the call before; `nil` for the beginning.
    ///   - limit: how many at most.
    func rows(after key: [UInt8]?, limit: Int) throws -> [StoredInstall]

    /// Puts rows in the place of those with their keys, and adds those that there are none of.
    func put(_ rows: [StoredInstall]) throws

    /// Moves the summary of funnels to their new places and removes that of all others.
    ///
    /// - Parameter moves: the new place of each old one.
    func moveSummary(_ moves: [Int: Int]) throws

    /// Adds segments to the summary.
    func add(_ segments: [SummaryDelta]) throws

    /// Sets how many repeats were counted in each of these partitions.
    func setDuplicates(_ counts: [Int32: Int64]) throws

    /// Adds to how many installs are capped.
    func addCapped(_ count: Int64) throws

    /// Makes these the store's funnels.
    ///
    /// - Parameters:
    ///   - funnels: in their order.
    ///   - counted: the names of those that were counted anew.
    ///   - firstDay: the first day for which those have all events; `nil` where they have every event.
    func setFunnels(_ funnels: [Funnel], counted: [String], completeFrom firstDay: Day?) throws
}
