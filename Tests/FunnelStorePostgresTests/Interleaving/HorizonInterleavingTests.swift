import FlowEvents
import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Synchronization
import Testing

@testable import FunnelStorePostgres

/// One consumer raises the horizon while another one adds a partition: each is stopped after each of its statements.
@Suite(.waits, .needsPostgreSQL) struct HorizonInterleavingTests {
    private static let settings = TopicSettings(partitionCount: 1, allowedLateness: 100)

    private enum Operation: CaseIterable {
        case raise, add

        /// Raises the horizon, or adds partition 1 with the horizon that was read before as its floor.
        func run(in store: PostgresFunnelStore) throws {
            switch self {
            case .raise: _ = try store.raiseHorizon(HorizonInterleavingTests.settings)
            case .add:
                while true {
                    var advance = StoreFixtures.advance(1, from: nil, to: 0)
                    advance.floor = try store.horizon()
                    let commit = StoreCommit(partitions: [advance], installs: [], summary: [])
                    if try store.commit(commit) == .committed { return }
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `no partition gets a floor below the horizon, whoever is first`(raisesFirst: Bool) async throws {
        try await onThread {
            let order: [Operation] = raisesFirst ? [.raise, .add] : [.add, .raise]
            var statement = 1
            while try Self.run(order[0], interruptedBy: order[1], afterStatement: statement) { statement += 1 }
            #expect(statement > 3)
        }
    }

    /// - Returns: `false` if the first operation has fewer statements.
    private static func run(
        _ first: Operation,
        interruptedBy second: Operation,
        afterStatement number: Int
    ) throws -> Bool {
        let fixture = try PostgresFixture()
        let proxy = try PausingProxy(upstream: fixture.server.directory)
        let name = "horizon"
        let stores = try (
            PostgresFunnelStore(url: fixture.server.url(schema: fixture.schema, socket: proxy.directory)),
            PostgresFunnelStore(url: fixture.url + "&application_name=\(name)")
        )
        for store in [stores.0, stores.1] { _ = try store.open(StoreFixtures.identity()) }
        let advance = StoreFixtures.advance(0, from: nil, to: 4, watermark: 5000)
        let commit = StoreCommit(partitions: [advance], installs: [], summary: [], topic: settings)
        #expect(try stores.1.commit(commit) == .committed)
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        proxy.pause(afterStatements: number) {
            Thread.detachNewThread {
                let result = Result { try second.run(in: stores.1) }
                outcome.withLock { $0 = result }
                isDone.signal()
            }
            try? waitUntil("the second has ended, or waits for the first") {
                try outcome.withLock { $0 != nil }
                    || Self.isBlocked(fixture, name)
            }
        }
        try first.run(in: stores.0)
        guard !proxy.cancel() else { return false }
        isDone.wait()
        try outcome.withLock { try $0?.get() }
        let partitions = try stores.1.progress()
        #expect(partitions.count == 2)
        // There is none if the partition, which has no event, was added first.
        guard let horizon = try stores.1.horizon() else { return true }
        for partition in partitions {
            let bound = max(
                partition.floor?.milliseconds ?? .min,
                (partition.watermark?.milliseconds ?? .min + 100) - 100
            )
            #expect(bound >= horizon.milliseconds, "\(partition) after statement \(number)")
        }
        return true
    }

    private static func isBlocked(_ fixture: PostgresFixture, _ name: String) throws -> Bool {
        try fixture.sql(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(name)' AND wait_event_type = 'Lock'"
        ) != "0"
    }
}
