import FlowEvents
import FunnelStore
import FunnelStorePostgres
import FunnelStoreTestSupport
import Funnels

/// What a program does with a store, from its first connection or, for a running consumer, from its next call.
enum StoreOperation: CaseIterable {
    /// Opens the store with new descriptions of the first funnels, and commits.
    case open
    /// Commits over a store that is open.
    case commit
    /// Prunes the rows of a store that is open.
    case compact
    case rebuild
    case report
    case verify

    /// The funnels that the store has before any rebuild.
    static func firstFunnels(_ description: String? = nil) throws -> [Funnel] {
        try [StoreFixtures.funnel("first", description: description), StoreFixtures.funnel("second")]
    }

    /// Runs the operation.
    ///
    /// - Parameters:
    ///   - url: the store.
    ///   - consumer: a consumer that has the store open.
    /// - Returns: the number of events that were committed.
    /// - Throws: `StoreError` with the code `unavailable` if the operation has to be repeated; ``Mixed``.
    func run(_ url: String, _ consumer: inout TaggedConsumer) throws -> Int64 {
        switch self {
        case .open:
            let funnels = try Self.firstFunnels("opened again")
            let store = try PostgresFunnelStore(url: url)
            defer { store.close() }
            do {
                _ = try store.open(StoreFixtures.identity(funnels: funnels))
            } catch let error as StoreError where error.code == .otherData {
                // A rebuild has changed the funnels. The consumer ends and has changed nothing.
                return 0
            }
            var other = TaggedConsumer(store: store, funnels: funnels)
            return try other.commit()
        case .commit:
            return try consumer.commit()
        case .compact:
            try consumer.compact()
        case .rebuild:
            try rebuild(PostgresFunnelRebuilder(url: url))
        case .report:
            let reader = try PostgresFunnelReader(url: url)
            let funnels = reader.funnels
            try reader.withSnapshot { try TaggedCount.check($0, funnels, offset: $0.quality().events) }
        case .verify:
            let reader = try PostgresFunnelReader(url: url)
            let identity = try reader.withAudit { try $0.identity() }
            guard let funnels = identity?.funnels else { throw Mixed("no identity") }
            try reader.withAudit { audit in
                let offset = try audit.progress().reduce(0) { $0 + $1.nextOffset }
                try TaggedCount.check(audit.summary, funnels, offset: offset)
                try audit.forEachInstall { row in
                    guard try TaggedCount.offset(of: row, funnels) == offset else {
                        throw Mixed("the row \(String(decoding: row.state, as: UTF8.self)) at \(offset)")
                    }
                }
            }
        }
        return 0
    }

    /// Swaps the funnels and counts the one that was first again, with a longer window.
    private func rebuild(_ rebuilder: PostgresFunnelRebuilder) throws {
        guard let stored = try rebuilder.identity() else { throw Mixed("no identity") }
        let counted = try StoreFixtures.funnel(
            stored.funnels[0].name,
            minutes: Int(stored.funnels[0].windowMilliseconds / 60_000) + 15
        )
        let funnels = [stored.funnels[1], counted]
        try rebuilder.rebuild { store in
            guard let identity = try store.identity(),
                FunnelChanges(from: stored.funnels, to: identity.funnels).isEmpty
            else {
                throw StoreError.unavailable("another rebuild has changed the store's funnels meanwhile: rebuild again")
            }
            let offset = try store.progress().reduce(0) { $0 + $1.nextOffset }
            let rows = try store.rows(after: nil, limit: RowLimit(rowCount: 10, byteCount: 8 << 20))
            for row in rows where try TaggedCount.offset(of: row, stored.funnels) != offset {
                throw Mixed("the row \(String(decoding: row.state, as: UTF8.self)) at \(offset)")
            }
            let state = StoreFixtures.bytes(TaggedCount.state(funnels, through: offset))
            try store.put(
                rows.map { StoredInstall(install: $0.install, version: $0.version + 1, state: state) }
            )
            try store.moveSummary([1: 0])
            try store.add([TaggedCount.segment(counted, at: 1, 0..<offset)])
            try store.setFunnels(funnels, counted: [counted.name], completeFrom: nil)
        }
    }
}

/// A consumer that counts the events of ``TaggedCount``, and treats the store's answers as the real one does.
struct TaggedConsumer {
    private let store: any FunnelStore
    private var funnels: [Funnel]

    init(store: any FunnelStore, funnels: [Funnel]) {
        self.store = store
        self.funnels = funnels
    }

    /// Commits the next two events.
    ///
    /// - Returns: their number.
    mutating func commit() throws -> Int64 {
        var known = try store.progress().first?.nextOffset
        var rows = try store.installs([TaggedCount.install])
        // The cache of a consumer may be older than the row, so that the first attempt conflicts.
        var version: Int64 = 0
        while true {
            let end = (known ?? 0) + 2
            do {
                for row in rows { _ = try TaggedCount.offset(of: row, funnels) }
            } catch {
                // The row may be of a rebuild's funnels.
                guard let rebuilt = try store.takeRebuiltFunnels() else { throw error }
                funnels = rebuilt.identity.funnels
                known = rebuilt.progress.first?.nextOffset
                rows = try store.installs([TaggedCount.install])
                version = rows.first?.version ?? 0
                continue
            }
            let commit = StoreCommit(
                partitions: [StoreFixtures.advance(0, from: known, to: end, quality: Quality(events: 2))],
                installs: [
                    StoreFixtures.write("a", after: version, TaggedCount.state(funnels, through: end))
                ],
                summary: funnels.enumerated().map { TaggedCount.segment($1, at: $0, (known ?? 0)..<end) }
            )
            switch try store.commit(commit) {
            case .committed: return 2
            case .fenced(let progress): known = progress.first?.nextOffset
            case .conflicts(let conflicts):
                // Unlike rows that the consumer has asked for, these must be readable: see `Committer`.
                for row in conflicts { _ = try TaggedCount.offset(of: row, funnels) }
                version = conflicts.first?.version ?? 0
            case .rebuilt(let rebuilt):
                funnels = rebuilt.identity.funnels
                known = rebuilt.progress.first?.nextOffset
                rows = try store.installs([TaggedCount.install])
                version = rows.first?.version ?? 0
            }
        }
    }

    /// Appends the definitions to all rows, in place of removing the evidence that these definitions do not need.
    mutating func compact() throws {
        let rows = try store.installs(after: nil, limit: RowLimit(rowCount: 10, byteCount: 8 << 20))
        if let rebuilt = try store.takeRebuiltFunnels() {
            funnels = rebuilt.identity.funnels
            return
        }
        let mark = StoreFixtures.bytes("|" + TaggedCount.definitions(funnels))
        for row in rows { _ = try TaggedCount.offset(of: row, funnels) }
        try store.compact(
            rows.map { InstallWrite(install: $0.install, expectedVersion: $0.version, state: $0.state + mark) }
        )
    }
}
