@testable import FunnelStorePostgres
import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Synchronization
import Testing

/// Each operation is stopped after each of its statements, and another one runs completely, or until it waits for a lock
/// of the first.
@Suite(.waits, .needsPostgreSQL) struct InterleavingTests {
    @Test(arguments: StoreOperation.allCases)
    func `an operation that another one interrupts at any statement leaves figures of one order`(
        first: StoreOperation
    ) async throws {
        // A minute in which all threads wait for the server.
        let failures = try await onThread {
            let bench = try InterleavingBench()
            return StoreOperation.allCases.compactMap { bench.failure(of: first, interruptedBy: $0) }
        }
        #expect(failures == [])
    }
}

/// A store with two consumers that have it open. The first one is connected through a ``PausingProxy``.
private final class InterleavingBench {
    private let fixture: PostgresFixture
    private let proxy: PausingProxy
    private let urls: (first: String, second: String)
    private let stores: (first: PostgresFunnelStore, second: PostgresFunnelStore)
    private let observer: StoreObserver

    init() throws {
        fixture = try PostgresFixture()
        proxy = try PausingProxy(upstream: fixture.server.directory)
        urls = (
            fixture.server.url(schema: fixture.schema, socket: proxy.directory),
            fixture.url + "&application_name=\(fixture.schema)"
        )
        stores = try (PostgresFunnelStore(url: urls.first), PostgresFunnelStore(url: urls.second))
        observer = try StoreObserver(url: fixture.url, applicationName: fixture.schema)
    }

    /// Runs an operation as often as it has statements, and another one after each; returns what was wrong.
    func failure(of first: StoreOperation, interruptedBy second: StoreOperation) -> String? {
        var statement = 1
        do {
            while try run(first, interruptedBy: second, afterStatement: statement) { statement += 1 }
        } catch {
            return "\(first), interrupted by \(second) after statement \(statement): \(error)"
        }
        return statement > 3 ? nil : "\(first), interrupted by \(second), has \(statement) statements"
    }

    /// Runs an operation, and another one in the middle.
    ///
    /// - Returns: `false` if the operation has fewer statements.
    /// - Throws: ``Mixed``, or the error of an operation that is not to be repeated.
    private func run(
        _ first: StoreOperation,
        interruptedBy second: StoreOperation,
        afterStatement number: Int
    ) throws -> Bool {
        let funnels = try StoreOperation.firstFunnels()
        var (consumer, other) = try openedConsumers(funnels)
        let outcome = Mutex<Result<Int64, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        proxy.pause(afterStatements: number) { [urls, stores, observer] in
            Thread.detachNewThread {
                var other = TaggedConsumer(store: stores.second, funnels: funnels)
                let result = Result { try second.run(urls.second, &other) }
                outcome.withLock { $0 = result }
                isDone.signal()
            }
            do {
                try waitUntil("\(second) has ended, or waits for \(first)") {
                    try outcome.withLock { $0 != nil } || observer.isSecondBlocked()
                }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        let result = Result { try first.run(urls.first, &consumer) }
        guard !proxy.cancel() else { return false }
        isDone.wait()
        if let error = failure.withLock({ $0 }) { throw error }
        guard let otherResult = outcome.withLock({ $0 }) else { throw Mixed("\(second) has no result") }
        var count = try repeating(result) { try first.run(urls.first, &consumer) }
        count += try repeating(otherResult) { try second.run(urls.second, &other) }
        try check(eventCount: 2 + count, rebuildCount: [first, second].count { $0 == .rebuild })
        return true
    }

    /// Repeats an operation that says that it must be repeated.
    private func repeating(_ result: Result<Int64, any Error>, _ operation: () throws -> Int64) throws -> Int64 {
        do {
            return try result.get()
        } catch let error as StoreError where error.code == .unavailable {
            return try operation()
        }
    }

    /// Empties the store, and commits two events of it.
    private func openedConsumers(_ funnels: [Funnel]) throws -> (first: TaggedConsumer, second: TaggedConsumer) {
        try observer.empty()
        for store in [stores.first, stores.second] {
            _ = try store.open(StoreFixtures.identity(funnels: funnels))
        }
        var second = TaggedConsumer(store: stores.second, funnels: funnels)
        _ = try second.commit()
        return (TaggedConsumer(store: stores.first, funnels: funnels), second)
    }

    private func check(eventCount: Int64, rebuildCount: Int) throws {
        var nobody = TaggedConsumer(store: stores.second, funnels: [])
        for operation in [StoreOperation.report, .verify] { _ = try operation.run(urls.second, &nobody) }
        guard try stores.second.progress().map(\.nextOffset) == [eventCount] else {
            throw Mixed("\(try stores.second.progress()) after \(eventCount) events")
        }
        guard try observer.generation() == rebuildCount else {
            throw Mixed("generation \(try observer.generation()) after \(rebuildCount) rebuilds")
        }
    }
}

/// A connection of the test's own.
private final class StoreObserver: Sendable {
    private let connection: Mutex<PostgresConnection>
    private let applicationName: String

    init(url: String, applicationName: String) throws {
        connection = Mutex(try PostgresConnection(url))
        self.applicationName = applicationName
    }

    /// Whether a connection of the second operation waits for a lock.
    func isSecondBlocked() throws -> Bool {
        try connection.withLock { connection in
            try connection.execute(
                "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
                [.text(applicationName)]
            ).rowCount > 0
        }
    }

    func generation() throws -> Int64 {
        try connection.withLock { try $0.execute("SELECT generation FROM flow_funnels_identity").integer(0, 0) }
    }

    /// Removes everything but the tables.
    func empty() throws {
        let tables = [
            "installs", "history", "partitions", "segments", "result_counts", "funnels", "beginnings", "identity",
        ]
        let statements = tables.map { "DELETE FROM flow_funnels_\($0)" }.joined(separator: "; ")
        try connection.withLock { try $0.run(statements) }
    }
}
