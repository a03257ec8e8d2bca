import FlowEvents
public import Funnels

/// Reads one store, or several whose figures are added up: each install is in one of them.
///
/// ```swift
/// let reader = try CombinedReader([(name: "sqlite:eu.sqlite", reader: eu), (name: "sqlite:us.sqlite", reader: us)])
/// let quality = try reader.withSnapshot { try $0.quality() }
/// ```
///
/// The stores count the same funnels, of different topics or clusters: a topic and a store for each region, for example.
/// Each is read in a snapshot of its own. The calls block. Use one reader from one thread at a time.
public final class CombinedReader: FunnelReading {
    private let stores: [(name: String, reader: any FunnelAuditing)]

    /// Creates a reader.
    ///
    /// - Parameter stores: readers of one store or more, each with its name for people.
    /// - Throws: ``StoreError`` with ``StoreError/Code/otherData`` where two stores count other funnels, or the same topic.
    public init(_ stores: [(name: String, reader: any FunnelAuditing)]) throws {
        self.stores = stores
        try checkFunnels()
        guard stores.count > 1 else { return }
        var seen: [[String]: String] = [:]
        for store in stores {
            guard let identity = try store.reader.withAudit({ try $0.identity() }) else { continue }
            let other = seen.updateValue(store.name, forKey: [identity.clusterID, identity.topic])
            guard let other else { continue }
            throw StoreError.otherData(
                "\(other) and \(store.name) both count the topic '\(identity.topic)' of the Kafka cluster "
                    + "'\(identity.clusterID)', so each install would count twice: name one of them"
            )
        }
    }

    /// The funnels that all stores count.
    public var funnels: [Funnel] { stores[0].reader.funnels }

    /// How often rebuilds had changed the funnels of the stores, together.
    public var generation: Int64? {
        let generations = stores.compactMap(\.reader.generation)
        return generations.isEmpty ? nil : generations.reduce(0, &+)
    }

    /// Runs `body` on an unchanging state of each store.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/otherData`` where a rebuild has given one of several stores other
    ///   funnels; and what `body` throws.
    public func withSnapshot<R>(_ body: (any SummarySource) throws -> R) throws -> R {
        guard stores.count > 1 else { return try stores[0].reader.withSnapshot(body) }
        return try withSnapshots(stores[...], []) { try body(CombinedSource($0)) }
    }

    private func withSnapshots<R>(
        _ rest: ArraySlice<(name: String, reader: any FunnelAuditing)>,
        _ parts: [StorePart],
        _ body: ([StorePart]) throws -> R
    ) throws -> R {
        guard let (name, reader) = rest.first else {
            try checkFunnels()
            return try body(parts)
        }
        return try reader.withSnapshot {
            try withSnapshots(rest.dropFirst(), parts + [StorePart(name: name, source: $0)], body)
        }
    }

    /// Runs `body` on an unchanging state of each whole store.
    ///
    /// - Throws: the same errors as ``withSnapshot(_:)``.
    package func withAudits<R>(_ body: ([any FunnelAudit], any SummarySource) throws -> R) throws -> R {
        try withAudits(stores[...], []) { audits in
            guard audits.count > 1 else { return try body(audits, audits[0].summary) }
            let parts = zip(stores, audits).map { StorePart(name: $0.name, source: $1.summary) }
            return try body(audits, CombinedSource(parts))
        }
    }

    private func withAudits<R>(
        _ rest: ArraySlice<(name: String, reader: any FunnelAuditing)>,
        _ audits: [any FunnelAudit],
        _ body: ([any FunnelAudit]) throws -> R
    ) throws -> R {
        guard let store = rest.first else {
            try checkFunnels()
            return try body(audits)
        }
        return try store.reader.withAudit { try withAudits(rest.dropFirst(), audits + [$0], body) }
    }

    private func checkFunnels() throws(StoreError) {
        for store in stores.dropFirst() {
            let changes = FunnelChanges(from: stores[0].reader.funnels, to: store.reader.funnels)
            guard !changes.isEmpty else { continue }
            throw .otherData(
                "\(stores[0].name) and \(store.name) count other funnels, so their figures do not add up. In the second, "
                    + "against the first: \(changes). Rebuild one of them with the funnels file of the other"
            )
        }
    }
}
