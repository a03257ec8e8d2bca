/// The consumer group of a store.
struct GroupBinding: Sendable {
    /// The group.
    let groupID: String
    /// The id of a store that consumers share; `nil` where the store belongs to one consumer, which then reads all
    /// partitions.
    let storeID: String?

    init(groupID: String?, storeID: String?) {
        let suffix = storeID.map { "-\($0)" } ?? ""
        self.groupID = groupID ?? FunnelConsumerOptions.defaultGroupID + suffix
        self.storeID = storeID
    }

    private static let prefix = "flow-funnels store "

    /// What the group keeps with the offsets that a consumer commits, so that consumers of another store notice it.
    var metadata: String? { storeID.map { Self.prefix + $0 } }

    /// Returns the lowest partition whose offset another store has committed to the group, and the id of that store.
    ///
    /// - Parameter metadata: what the group keeps with the offsets of each partition.
    func otherStore(in metadata: [Int32: String]) -> (partition: Int32, storeID: String)? {
        guard let storeID else { return nil }
        return metadata.compactMap { partition, text in
            guard text.hasPrefix(Self.prefix) else { return nil }
            let other = String(text.dropFirst(Self.prefix.count))
            return other == storeID ? nil : (partition, other)
        }
        .min { $0.partition < $1.partition }
    }
}
