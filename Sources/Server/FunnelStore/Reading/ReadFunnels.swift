package import Funnels

/// The funnels that a reader has read, and their generation.
///
/// A caller reads the funnels before the transaction that reads their counts, and a rebuild may commit in between. Each
/// transaction therefore compares the generation first. Otherwise the counts of new funnels would be reported under the
/// names of the old ones.
package struct ReadFunnels {
    /// The funnels, in the order of the funnels file.
    package private(set) var funnels: [Funnel]
    /// How often rebuilds had changed them.
    package private(set) var generation: Int64?

    /// Reads the funnels. All queries must see the same state of the store.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/missing`` if no consumer has opened the store yet.
    package init(from queries: some StoreQueries, at location: some StoreLocation) throws {
        guard let identity = try queries.identity() else { throw location.emptyStore }
        funnels = identity.funnels
        generation = try queries.generation()
    }

    /// Checks that the store still has these funnels. All queries must see the same state of the store.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` if a rebuild has changed the funnels. The value has
    ///   the new ones then, so that the caller can repeat its work with them.
    package mutating func check(in queries: some StoreQueries, at location: some StoreLocation) throws {
        guard try queries.generation() != generation else { return }
        self = try ReadFunnels(from: queries, at: location)
        throw StoreError.unavailable(
            "a rebuild has changed the funnels of the store \(location.name) since they were read: try again"
        )
    }
}
