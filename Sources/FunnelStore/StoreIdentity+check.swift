import Funnels

extension StoreIdentity {
    /// Checks that a store that belongs to `stored` may take in what belongs to this identity.
    ///
    /// The funnels' descriptions take no part in what is counted and may differ.
    ///
    /// - Parameters:
    ///   - stored: what the store belongs to.
    ///   - place: the store's name in the error, such as its path.
    /// - Throws: ``StoreError/otherData(_:)``, which says what the store has, what was asked for, and the way out.
    public func check(against stored: StoreIdentity, in place: String) throws(StoreError) {
        let wayOut = "give another --store, or move the old one away to count again from what the topic still has"
        guard stored.clusterID == clusterID else {
            throw .otherData(
                "\(place) holds the counts of the Kafka cluster '\(stored.clusterID)', but this one is '\(clusterID)': "
                    + "connect to that cluster, or \(wayOut)"
            )
        }
        guard stored.topic == topic else {
            throw .otherData(
                "\(place) holds the counts of the topic '\(stored.topic)', not of '\(topic)': read that topic, or \(wayOut)"
            )
        }
        let differences = Self.differences(from: stored.funnels, to: funnels)
        guard differences.isEmpty else {
            throw .otherData(
                "\(place) holds the counts of other funnels (\(differences)): use the funnels file that it was begun with, "
                    + "or \(wayOut)"
            )
        }
    }

    // A funnel's place is its key in the store, so the order is part of what must agree.
    private static func differences(from stored: [Funnel], to asked: [Funnel]) -> String {
        let storedNames = stored.map(\.name)
        let askedNames = asked.map(\.name)
        let removed = storedNames.filter { !askedNames.contains($0) }
        let added = askedNames.filter { !storedNames.contains($0) }
        let changed = asked.filter { funnel in
            stored.contains { $0.name == funnel.name && !$0.countsSame(as: funnel) }
        }
        var parts: [String] = []
        for (verb, names) in [("added", added), ("removed", removed), ("changed", changed.map(\.name))]
        where !names.isEmpty {
            parts.append("\(verb): \(names.joined(separator: ", "))")
        }
        if parts.isEmpty, storedNames != askedNames {
            parts.append("in another order: \(storedNames.joined(separator: ", "))")
        }
        return parts.joined(separator: "; ")
    }
}

extension Funnel {
    fileprivate func countsSame(as other: Funnel) -> Bool {
        name == other.name && count == other.count && window == other.window && breakdown == other.breakdown
            && steps == other.steps
    }
}
