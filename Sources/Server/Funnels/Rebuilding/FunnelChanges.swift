/// How a funnels file differs from the funnels that a store counts.
public struct FunnelChanges: Sendable, Hashable {
    /// The funnels that only the file has.
    public let added: [Funnel]
    /// The funnels whose definitions in the file would count something else, as they are there.
    public let changed: [Funnel]
    /// The funnels that only the store has.
    public let removed: [Funnel]
    /// Whether the same funnels stand in another order.
    public let isReordered: Bool
    private let stored: [Funnel]

    /// Compares. Descriptions take no part.
    ///
    /// - Parameters:
    ///   - stored: what the store counts.
    ///   - file: what the funnels file says.
    public init(from stored: [Funnel], to file: [Funnel]) {
        self.stored = stored
        added = file.filter { funnel in !stored.contains { $0.name == funnel.name } }
        removed = stored.filter { funnel in !file.contains { $0.name == funnel.name } }
        changed = file.filter { funnel in stored.contains { $0.name == funnel.name && !$0.countsLike(funnel) } }
        isReordered = added.isEmpty && removed.isEmpty && stored.map(\.name) != file.map(\.name)
    }

    /// Whether a consumer with the file may count in the store.
    public var isEmpty: Bool { names.isEmpty && !isReordered }

    /// The funnels that differ: those of the file in its order, then those that it has no more.
    public var names: [String] { (changed + added).map(\.name) + removed.map(\.name) }
}

extension FunnelChanges: CustomStringConvertible {
    /// What differs, for the middle of a sentence: each funnel with its old and its new definition in short.
    public var description: String {
        let changed = changed.map { funnel in
            let old = stored.first { $0.name == funnel.name }
            return "\(funnel.name) (\(old.map { funnel.changes(since: $0) } ?? ""))"
        }
        var parts: [String] = []
        for (verb, funnels) in [
            ("changed", changed), ("added", added.map { "\($0.name) (\($0.summary))" }),
            ("removed", removed.map { "\($0.name) (\($0.summary))" }),
        ] where !funnels.isEmpty {
            parts.append("\(verb): \(funnels.joined(separator: ", "))")
        }
        if isReordered { parts.append("in another order: \(stored.map(\.name).joined(separator: ", "))") }
        return parts.joined(separator: "; ")
    }
}
