/// The change of a store's funnels by a rebuild: which funnels are kept, counted again and removed.
///
/// A store keeps results by the index of their funnel, so each new funnel has a ``Source`` with its previous index.
public struct FunnelRebuildPlan: Sendable, Hashable {
    /// The source of a funnel's results.
    public enum Source: Sendable, Hashable {
        /// The results in the store, of the funnel with this index in the previous funnels.
        case kept(Int)
        /// The events of the topic, which are counted again.
        case counted
    }

    /// The funnels that the store counts after the rebuild, in order.
    public let funnels: [Funnel]
    /// The source of each of ``funnels``.
    public let sources: [Source]
    /// The funnels that the rebuild removes from the store.
    public let removed: [Funnel]
    /// The differences between the previous and the new funnels; empty where funnels are only counted again.
    public let changes: FunnelChanges
    /// The funnels that the store counted when the rebuild was planned. ``sources`` has indices of these.
    package let previous: [Funnel]

    /// Plans a rebuild.
    ///
    /// Each named funnel is counted again by its definition in the file, or removed where the file does not have it.
    /// All other funnels stay as the store has them, even where the file has another definition.
    ///
    /// - Parameters:
    ///   - stored: the funnels that the store counts.
    ///   - file: the funnels of the funnels file.
    ///   - names: the names of the funnels to rebuild; empty for all funnels that differ.
    /// - Throws: ``UnknownFunnels`` where a name is neither in the store nor in the file.
    public init(from stored: [Funnel], to file: [Funnel], names: [String]) throws(UnknownFunnels) {
        let known = Set((file + stored).map(\.name))
        let unknown = names.filter { !known.contains($0) }
        guard unknown.isEmpty else {
            throw UnknownFunnels(names: unknown, known: (file + stored).map(\.name), in: .fileAndStore)
        }
        let asked = Set(names.isEmpty ? FunnelChanges(from: stored, to: file).names : names)
        var parts: [(Funnel, Source)] = file.compactMap { funnel in
            if asked.contains(funnel.name) { return (funnel, .counted) }
            guard let index = stored.firstIndex(where: { $0.name == funnel.name }) else { return nil }
            return (funnel.countsLike(stored[index]) ? funnel : stored[index], .kept(index))
        }
        let others = stored.enumerated().filter { other in !file.contains { $0.name == other.element.name } }
        parts += others.filter { !asked.contains($0.element.name) }.map { ($0.element, .kept($0.offset)) }
        previous = stored
        funnels = parts.map(\.0)
        sources = parts.map(\.1)
        changes = FunnelChanges(from: stored, to: parts.map(\.0))
        removed = others.map(\.element).filter { asked.contains($0.name) }
    }

    /// The funnels that are counted again.
    public var counted: [Funnel] { zip(funnels, sources).filter { $0.1 == .counted }.map(\.0) }

    /// Whether the rebuild changes nothing.
    public var isEmpty: Bool {
        removed.isEmpty && sources == funnels.indices.map { .kept($0) }
    }

    /// The new index of each kept funnel, by its previous index.
    public var moves: [Int: Int] {
        var moves: [Int: Int] = [:]
        for (index, source) in sources.enumerated() {
            if case .kept(let previous) = source { moves[previous] = index }
        }
        return moves
    }
}
