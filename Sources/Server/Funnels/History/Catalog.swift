import FlowEvents

/// What a commit must know of the blocks of an install's history without reading them.
///
/// It is worked out from the blocks, and appending a block to it needs none of the others. ``CatalogView`` reads single
/// parts of its encoded form.
struct Catalog {
    /// One block.
    struct Entry: Equatable {
        var number: Int64
        /// The number of its events; 0 for a block that has results only.
        var count = 0
        /// The times of its first event and of its last; 0 where it has none.
        var firstTime: Int64 = 0
        var lastTime: Int64 = 0
    }

    /// The blocks, in order of their evidence.
    var entries: [Entry] = []
    /// The events in the blocks, by day.
    var days: [DayCount] = []
    /// The fingerprints of the events in the last blocks, and of the actors with results there; sorted.
    var filter: [UInt32] = []
    /// The number of rows with the fingerprints of the blocks before those.
    var filterRowCount = 0
    /// The open results of the actors.
    var actors: [OpenActor] = []

    /// The results of one actor in the blocks that a later day can change the effect of: see ``Swift/Array/open(_:)``.
    struct OpenActor {
        var owner: DayOutcome.Owner
        var days: [DayOutcome]
        /// Whether days before the first one were left out, all of them at least as high.
        var isCut = false
    }
}

/// A block as it is added to a catalog.
struct CatalogAddition {
    var entry: Catalog.Entry
    var days: [DayCount]
    /// The fingerprints of the block's events and of the actors with results in it.
    var fingerprints: [UInt32]
    /// The block's results, in order of owner, then day.
    var results: [DayOutcome]
}

extension Catalog {
    /// Adds a block behind the others, without its fingerprints and its results.
    mutating func add(_ block: CatalogAddition) {
        entries.append(block.entry)
        for day in block.days { days.add(day: Day(number: day.day), count: day.count, bytes: day.bytes) }
    }

    /// Adds the fingerprints of a block.
    ///
    /// - Parameter limit: ``HistoryShape/filterCount``.
    /// - Returns: the fingerprints that go to a row of their own, so that a full row is never written again.
    mutating func add(_ fingerprints: [UInt32], limit: Int) -> [UInt32]? {
        var row: [UInt32]?
        if !filter.isEmpty, filter.count + fingerprints.count > limit {
            row = filter
            filter = []
            filterRowCount += 1
        }
        filter = (filter + fingerprints).sorted()
        return row
    }

    /// Adds the results of a block.
    ///
    /// - Parameter hasResults: whether an actor of which the catalog has no open results may have results in other
    ///   blocks. The catalog does not get its open results then.
    /// - Returns: whether this is possible without the other blocks.
    mutating func open(_ results: [DayOutcome], hasResults: (DayOutcome.Owner) -> Bool) -> Bool {
        var rest = results[...]
        while let owner = rest.first?.owner {
            let own = rest.prefix { $0.owner == owner }
            rest = rest.dropFirst(own.count)
            if let index = actors.firstIndex(where: { $0.owner == owner }) {
                for best in own { guard actors[index].append(best) else { return false } }
            } else if !hasResults(owner) {
                actors.append(OpenActor(owner: owner, days: .open(own)))
            }
        }
        return true
    }

    /// Leaves out what exceeds the sizes of `shape`: the actors that were active least lately, those of whole installs
    /// last, and the oldest days of each actor.
    mutating func trim(_ shape: HistoryShape) {
        for index in actors.indices where actors[index].days.count > shape.dayCount {
            actors[index].days.removeFirst(actors[index].days.count - shape.dayCount)
            actors[index].isCut = true
        }
        guard actors.count > shape.ownerCount else { return }
        func rank(_ actor: OpenActor) -> (Int, Int32) {
            (actor.owner.actor == nil ? 1 : 0, actor.days.last?.day.number ?? .min)
        }
        let ranked = actors.enumerated().sorted { lhs, rhs in
            let (left, right) = (rank(lhs.element), rank(rhs.element))
            return left != right ? left > right : lhs.offset > rhs.offset
        }
        actors = ranked.prefix(shape.ownerCount).map(\.element)
    }
}

extension Catalog.OpenActor {
    /// Adds a result of a later block.
    ///
    /// - Returns: whether the open results are known after that.
    fileprivate mutating func append(_ best: DayOutcome) -> Bool {
        if let last = days.last {
            guard last.day <= best.day else { return false }
            if last.day == best.day {
                if last.counts(before: best) { return true }
                days.removeLast()
            }
        }
        while let last = days.last, last.rank < best.rank { days.removeLast() }
        if days.isEmpty, isCut { return false }
        days.append(best)
        return true
    }
}
