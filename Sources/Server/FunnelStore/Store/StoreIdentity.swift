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
        let changes = FunnelChanges(from: stored.funnels, to: funnels)
        guard changes.isEmpty else {
            let command = (["funnel-consumer rebuild"] + changes.names).joined(separator: " ")
            throw .otherData(
                "\(place) holds the counts of other funnels than the funnels file (\(changes)). Run `\(command)` with the "
                    + "same options to count what differs from what the topic still has; or use the funnels file that "
                    + "the store was counted with, or \(wayOut)"
            )
        }
    }
}
