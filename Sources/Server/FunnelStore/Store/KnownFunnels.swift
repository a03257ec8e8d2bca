import Funnels
import Synchronization

/// The funnels that a consumer knows of its store, compared by the store's generation.
///
/// Whatever a consumer has worked out from other funnels must not be written: neither counts, nor states without the
/// evidence that those other funnels no longer need. All stores ask this value before they write.
package final class KnownFunnels: Sendable {
    private let generation = Mutex<Int64?>(nil)

    /// Creates a value for a consumer that has not opened its store yet.
    package init() {}

    /// Records that the consumer knows the funnels of a generation.
    ///
    /// Call it once the transaction that has read the generation has succeeded. A consumer whose call failed still
    /// knows only its previous funnels, and must not commit their counts as those of the new generation.
    package func learn(generation number: Int64?) {
        generation.withLock { $0 = number }
    }

    /// Whether the store still has the funnels that the consumer knows.
    package func areCurrent(in queries: some StoreQueries) throws -> Bool {
        let stored = try queries.generation()
        return generation.withLock { $0 == stored }
    }

    /// Returns the store's funnels if they are not those that the consumer knows.
    ///
    /// Pass the change to ``learn(_:)`` once the transaction has succeeded. If the transaction is repeated, it must
    /// find the change again. The queries must all see the same state of the store.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/unusable`` if the store has lost its identity.
    package func change(in queries: some StoreQueries, at location: some StoreLocation) throws -> Change? {
        guard try !areCurrent(in: queries) else { return nil }
        guard let identity = try queries.identity() else { throw location.damaged("it has lost its identity") }
        let rebuilt = RebuiltFunnels(identity: identity, progress: try queries.progress())
        return Change(rebuilt: rebuilt, generation: try queries.generation())
    }

    /// Records that the consumer knows the funnels of a change.
    package func learn(_ change: Change) -> RebuiltFunnels {
        generation.withLock { $0 = change.generation }
        return change.rebuilt
    }

    /// A change of the store's funnels that the consumer does not know yet.
    package struct Change: Sendable {
        package let rebuilt: RebuiltFunnels
        fileprivate let generation: Int64?
    }
}
