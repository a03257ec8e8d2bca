/// What a rebuild makes of a store's funnels: which are kept as they are, which are counted anew, which go.
///
/// A store keeps a funnel's results by its place among the funnels, so each place of the new set says where it comes
/// from.
public struct FunnelRevision: Sendable, Hashable {
    /// Where a funnel's results come from.
    public enum Source: Sendable, Hashable {
        /// From this place of the old set, untouched.
        case kept(Int)
        /// From the topic.
        case counted
    }

    /// The funnels that the store counts afterward, in their order.
    public let funnels: [Funnel]
    /// For each of ``funnels`` where its results come from.
    public let sources: [Source]
    /// The funnels that the store has no more afterward.
    public let removed: [Funnel]
    /// How the new set differs from the old one; empty where funnels are only counted again.
    public let changes: FunnelChanges

    /// Works out what is to be done.
    ///
    /// Each name is made what the file says of it: counted by its definition there, or removed where it is not there.
    /// All others stay as the store has them, also where the file says something else.
    ///
    /// - Parameters:
    ///   - stored: the funnels that the store counts.
    ///   - file: those of the funnels file.
    ///   - names: the funnels to rebuild; none for all that differ.
    /// - Throws: ``UnknownFunnelNames`` where a name is in neither.
    public init(from stored: [Funnel], to file: [Funnel], names: [String]) throws(UnknownFunnelNames) {
        let known = Set((file + stored).map(\.name))
        let unknown = names.filter { !known.contains($0) }
        guard unknown.isEmpty else { throw UnknownFunnelNames(names: unknown, known: (file + stored).map(\.name)) }
        let asked = Set(names.isEmpty ? FunnelChanges(from: stored, to: file).names : names)
        var parts: [(Funnel, Source)] = file.compactMap { funnel in
            if asked.contains(funnel.name) { return (funnel, .counted) }
            guard let place = stored.firstIndex(where: { $0.name == funnel.name }) else { return nil }
            return (funnel.countsLike(stored[place]) ? funnel : stored[place], .kept(place))
        }
        let others = stored.enumerated().filter { other in !file.contains { $0.name == other.element.name } }
        parts += others.filter { !asked.contains($0.element.name) }.map { ($0.element, .kept($0.offset)) }
        funnels = parts.map(\.0)
        sources = parts.map(\.1)
        changes = FunnelChanges(from: stored, to: parts.map(\.0))
        removed = others.map(\.element).filter { asked.contains($0.name) }
    }

    /// The funnels that are counted anew.
    public var counted: [Funnel] { zip(funnels, sources).filter { $0.1 == .counted }.map(\.0) }

    /// Whether there is nothing to do.
    public var isEmpty: Bool {
        removed.isEmpty && sources == funnels.indices.map { .kept($0) }
    }

    /// The new place of each old one that is kept.
    public var moves: [Int: Int] {
        var moves: [Int: Int] = [:]
        for (place, source) in sources.enumerated() {
            if case .kept(let old) = source { moves[old] = place }
        }
        return moves
    }
}

/// Names that neither the store nor the funnels file knows.
public struct UnknownFunnelNames: Error, Sendable, Hashable, CustomStringConvertible {
    /// The names.
    public let names: [String]
    /// Those that there are.
    public let known: [String]

    /// The names, and those that there are.
    public var description: String {
        var seen: Set<String> = []
        let known = known.filter { seen.insert($0).inserted }.joined(separator: ", ")
        return "unknown funnel \(names.joined(separator: ", ")): the funnels file and the store have \(known)"
    }
}
