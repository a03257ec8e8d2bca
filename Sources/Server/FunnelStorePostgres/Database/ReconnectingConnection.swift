import FlowEvents
import Foundation
import FunnelStore
import Synchronization

/// A connection for one caller at a time, which is replaced when it is lost.
///
/// A call that fails for a temporary reason is repeated until `patience` has passed since it failed first: after a lost
/// connection, a restart of the server, a serialization failure or a deadlock.
// Unchecked, because `connection`, `backend` and `isClosed` are accessed only under the lock. A Mutex cannot pass them
// to closures that are not Sendable.
final class ReconnectingConnection: @unchecked Sendable {
    private let lock = NSLock()
    private var connection: PostgresConnection?
    private var backend: Backend?
    private var isClosed = false
    private let location: PostgresStoreLocation
    private let patience: Duration
    private let outages: OutageReporter
    private let isStopping = Atomic(false)
    private let stopping = DispatchSemaphore(value: 0)
    private static let backoff = Backoff(base: .milliseconds(20), maximum: .seconds(2))

    /// Connects, without a second attempt: what is wrong at the start is reported at once.
    init(_ location: PostgresStoreLocation, patience: Duration, outages: OutageReporter) throws(StoreError) {
        self.location = location
        self.patience = patience
        self.outages = outages
        (connection, backend) = try location.translating { try Self.connect(location, replacing: nil) }
    }

    /// Runs `body` with a connection, and repeats it if it fails for a temporary reason.
    func run<R>(_ body: (PostgresConnection) throws -> R) throws(StoreError) -> R {
        lock.lock()
        defer { lock.unlock() }
        // Counted from the first failure: a server that hung longer than that may answer the second attempt.
        var deadline: ContinuousClock.Instant?
        var failureCount = 0
        while true {
            do {
                let result = try body(try connected())
                outages.succeeded()
                return result
            } catch let failure as PostgresFailure where failure.isTransient {
                // No waiting helps against a setting.
                if failure.needsNewConnection, isReadOnlyBySetting { throw location.storeError(failure) }
                if failure.isConnectionLost || failure.needsNewConnection { connection = nil }
                failureCount += 1
                outages.failed(location.storeError(failure))
                // At least a quarter of the limit, so that a server that is starting is not asked without a pause.
                let wait = Self.backoff.delay(afterFailures: failureCount, jitter: .random(in: 0.25..<1))
                let limit = deadline ?? .now + patience
                deadline = limit
                let isHopeless = isStopping.load(ordering: .relaxed) && outages.lasting != nil
                guard ContinuousClock.now + wait < limit, !isHopeless else { throw location.storeError(failure) }
                // A signal ends one wait; after the next failure it is clear whether the outage lasts.
                _ = stopping.wait(timeout: .now() + (wait / .seconds(1)))
            } catch {
                try location.translating { throw error }
            }
        }
    }

    /// The error of an outage that has lasted for seconds; `nil` if there is none.
    var outage: StoreError? { outages.lasting }

    /// Lets calls fail during an outage that has lasted for seconds. Does not wait for the call under way.
    func stopWaiting() {
        isStopping.store(true, ordering: .relaxed)
        stopping.signal()
    }

    /// Whether the server takes writes, and a setting of the URL, the user, the database or the server forbids them to this
    /// connection.
    private var isReadOnlyBySetting: Bool {
        let sql = "SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only')::boolean"
        guard let result = try? connection?.execute(sql), result.rowCount == 1 else { return false }
        return result.bool(0, 0)
    }

    /// Closes the connection. Later calls of ``run(_:)`` fail.
    ///
    /// - Parameter cleanUp: is called first, unless the connection is lost. Its errors are ignored.
    func close(_ cleanUp: (PostgresConnection) throws -> Void = { _ in }) {
        lock.lock()
        defer { lock.unlock() }
        if let connection { try? cleanUp(connection) }
        connection = nil
        isClosed = true
    }

    private func connected() throws -> PostgresConnection {
        guard !isClosed else { throw location.closedStore }
        if let connection { return connection }
        let (connection, backend) = try Self.connect(location, replacing: backend)
        (self.connection, self.backend) = (connection, backend)
        return connection
    }

    private static func connect(
        _ location: PostgresStoreLocation,
        replacing previous: Backend?
    ) throws -> (PostgresConnection, Backend) {
        let connection = try PostgresConnection(location.url)
        try PostgresPooler.refuse(connection, location)
        try SessionSettings.apply(to: connection)
        // The server may not have noticed yet that the old connection is lost, and keep its locks.
        if let previous { try previous.terminate(over: connection) }
        return (connection, try Backend(of: connection))
    }
}

/// Tells of the outages that a connection meets.
final class OutageReporter: Sendable {
    private let reports = Mutex(StoreOutageReports())
    private let report: @Sendable (StoreOutage) -> Void

    init(_ report: @escaping @Sendable (StoreOutage) -> Void) {
        self.report = report
    }

    /// The error of an outage that has lasted for seconds; `nil` if there is none.
    var lasting: StoreError? { reports.withLock { $0.lasting } }

    func failed(_ error: StoreError) {
        if let outage = reports.withLock({ $0.failed(error, now: .now) }) { report(outage) }
    }

    func succeeded() {
        if let outage = reports.withLock({ $0.succeeded(now: .now) }) { report(outage) }
    }
}

/// The server's process that serves a connection.
private struct Backend {
    let pid: Int32
    /// Distinguishes it from a later process with the same number.
    let start: String

    init(of connection: PostgresConnection) throws {
        let result = try connection.execute(
            """
            SELECT pid, extract(epoch FROM backend_start)::text FROM pg_stat_activity WHERE pid = pg_backend_pid()
            """
        )
        guard result.rowCount == 1 else { throw PostgresFailure.serializationFailure }
        pid = Int32(result.integer(0, 0))
        start = result.text(0, 1)
    }

    func terminate(over connection: PostgresConnection) throws {
        try connection.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE pid = $1 AND extract(epoch FROM backend_start)::text = $2 AND usename = current_user
            """,
            [.int4(pid), .text(start)]
        )
    }
}
