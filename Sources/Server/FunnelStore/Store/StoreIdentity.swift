public import Funnels

/// The cluster, topic and funnels that a store belongs to. Its offsets and counts have no meaning for any other.
public struct StoreIdentity: Sendable, Hashable {
    /// The id of the Kafka cluster.
    public var clusterID: String
    /// The topic of the events.
    public var topic: String
    /// The topic's id in Kafka, which a topic that is deleted and created again does not keep; `nil` where it is not
    /// known.
    ///
    /// `funnel-consumer` leaves it out: librdkafka tells it only from version 2.3 on. It recognizes a new topic by the
    /// records at the stored offsets.
    public var topicID: String?
    /// The funnels, in the order of the funnels file.
    public var funnels: [Funnel]
    /// The transitions of the funnels' time zones that the store keeps. A store that is opened with this identity takes
    /// those that it does not have, and those of this machine where they are missing here, too.
    public var timeZones = TimeZoneTables()
    /// The erased installs that a new store begins with, and their key; `nil` for none and a key of its own. A store that is
    /// there already does not take them.
    public var erased: ErasedInstalls?

    /// Creates an identity.
    public init(clusterID: String, topic: String, topicID: String? = nil, funnels: [Funnel]) {
        self.clusterID = clusterID
        self.topic = topic
        self.topicID = topicID
        self.funnels = funnels
    }
}

extension StoreIdentity {
    /// Whether a store that belongs to `stored` keeps these definitions of the funnels, with their descriptions and
    /// experiments.
    ///
    /// It compares bytes, because `String` takes canonically equivalent texts for equal, and a variant of an experiment is
    /// known by its bytes.
    package func hasDefinitions(of stored: StoreIdentity?) -> Bool {
        guard let stored else { return false }
        return FunnelDefinitions.encode(stored.funnels).utf8.elementsEqual(FunnelDefinitions.encode(funnels).utf8)
    }

    /// Checks that a store that belongs to `stored` may be used for this identity.
    ///
    /// The funnels' descriptions do not change the counts, so they may differ. An unknown topic id equals every other.
    ///
    /// - Parameters:
    ///   - stored: the identity that the store has.
    ///   - name: the store in the error's message, such as `the store funnels.sqlite`.
    /// - Throws: ``StoreError`` with ``StoreError/Code/otherData``. Its message names both values and the way out.
    package func check(against stored: StoreIdentity, in name: String) throws(StoreError) {
        let wayOut = "use another store, or move the old one away to count again from what the topic still has"
        guard stored.clusterID == clusterID else {
            throw .otherData(
                "\(name) holds the counts of the Kafka cluster '\(stored.clusterID)', but this one is '\(clusterID)': "
                    + "connect to that cluster, or \(wayOut)"
            )
        }
        guard stored.topic == topic else {
            throw .otherData(
                "\(name) holds the counts of the topic '\(stored.topic)', not of '\(topic)': read that topic, or "
                    + wayOut
            )
        }
        if let old = stored.topicID, let topicID, old != topicID {
            throw .otherData(
                "the topic '\(topic)' was deleted and created again since \(name) was counted (its id was \(old), and now "
                    + "is \(topicID)), so the offsets of the store are not those of the topic: \(wayOut)"
            )
        }
        let changes = FunnelChanges(from: stored.funnels, to: funnels)
        guard changes.isEmpty else {
            throw StoreError(
                .otherData,
                "\(name) holds the counts of other funnels than the funnels file (\(changes)): rebuild the differing "
                    + "funnels from what the topic still has, or use the funnels file that the store was counted with, or "
                    + wayOut,
                changes: changes
            )
        }
    }
}
