/// The differences between a funnels file and the funnels that a store counts.
public struct FunnelChanges: Sendable, Hashable {
    /// The funnels that are only in the file.
    public let added: [Funnel]
    /// The funnels of the file whose definitions in the store count something else.
    public let changed: [Funnel]
    /// The funnels that are only in the store.
    public let removed: [Funnel]
    /// Whether file and store have the same funnels in different orders.
    public let isReordered: Bool
    private let stored: [Funnel]

    /// Compares funnels, without their descriptions.
    ///
    /// - Parameters:
    ///   - stored: the funnels that the store counts.
    ///   - file: the funnels of the funnels file.
    public init(from stored: [Funnel], to file: [Funnel]) {
        self.stored = stored
        added = file.filter { funnel in !stored.contains { $0.name == funnel.name } }
        removed = stored.filter { funnel in !file.contains { $0.name == funnel.name } }
        changed = file.filter { funnel in stored.contains { $0.name == funnel.name && !$0.countsLike(funnel) } }
        isReordered = added.isEmpty && removed.isEmpty && stored.map(\.name) != file.map(\.name)
    }

    /// Whether there are no differences, so that a consumer with the file may count in the store.
    public var isEmpty: Bool { names.isEmpty && !isReordered }

    /// The names of the funnels that differ: changed and added funnels in the order of the file, then removed funnels.
    public var names: [String] { (changed + added).map(\.name) + removed.map(\.name) }
}

extension FunnelChanges: CustomStringConvertible {
    /// The differences as a part of a sentence: each funnel with a short form of its old and new definition.
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
