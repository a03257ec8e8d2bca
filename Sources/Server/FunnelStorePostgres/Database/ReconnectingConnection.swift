import Foundation
import FunnelStore

/// A connection that is made again where it was lost, for one caller at a time.
///
/// What failed for a reason that passes is tried again until `patience` ends: a lost connection, a server that restarts,
/// a serialization failure, a deadlock.
// Unchecked, because `connection`, `backend` and `isClosed` are only touched under the lock. A Mutex cannot lend them to
// closures that belong to the caller's thread.
final class PostgresLine: @unchecked Sendable {
    private let lock = NSLock()
    private var connection: PostgresConnection?
    private var backend: Backend?
    private var isClosed = false
    private let place: PostgresPlace
    private let patience: Duration

    /// Connects once, without a second try: what is wrong at the start is told at once.
    init(_ place: PostgresPlace, patience: Duration) throws(StoreError) {
        self.place = place
        self.patience = patience
        do {
            (connection, backend) = try Self.connect(place, replacing: nil)
        } catch let failure as PostgresFailure {
            throw place.unreachable(failure)
        } catch {
            throw .unavailable("the store \(place.name): \(error)")
        }
    }

    /// Runs `body` with a connection, again and again where it fails for a reason that passes.
    func run<R>(_ body: (PostgresConnection) throws -> R) throws(StoreError) -> R {
        lock.lock()
        defer { lock.unlock() }
        let deadline = ContinuousClock.now + patience
        var schedule = RetrySchedule()
        while true {
            do {
                return try body(try connected())
            } catch let failure as PostgresFailure where failure.isTransient {
                if failure.isConnectionLost || failure.needsNewConnection { connection = nil }
                let wait = schedule.next(share: .random(in: 0...1))
                guard ContinuousClock.now + wait < deadline else {
                    throw connection == nil ? place.unreachable(failure) : place.storeError(failure)
                }
                Thread.sleep(forTimeInterval: wait / .seconds(1))
            } catch {
                try place.translating { throw error }
            }
        }
    }

    /// Ends the connection. What is run later fails.
    ///
    /// - Parameter farewell: what is said last where the connection still stands; no failure of it matters.
    func close(_ farewell: (PostgresConnection) throws -> Void = { _ in }) {
        lock.lock()
        defer { lock.unlock() }
        if let connection { try? farewell(connection) }
        connection = nil
        isClosed = true
    }

    private func connected() throws -> PostgresConnection {
        guard !isClosed else { throw StoreError.unavailable("the store \(place.name) was closed") }
        if let connection { return connection }
        let (connection, backend) = try Self.connect(place, replacing: backend)
        (self.connection, self.backend) = (connection, backend)
        return connection
    }

    private static func connect(
        _ place: PostgresPlace,
        replacing previous: Backend?
    ) throws -> (PostgresConnection, Backend) {
        let connection = try PostgresConnection(place.url)
        try SessionSettings.apply(to: connection)
        // The server may not know yet that the old connection is gone, and hold its locks.
        if let previous { try previous.terminate(over: connection) }
        return (connection, try Backend(of: connection))
    }
}

/// The server's process for one connection.
private struct Backend {
    let pid: Int32
    /// Tells it from a later process with the same number.
    let start: String

    init(of connection: PostgresConnection) throws {
        let result = try connection.execute(
            """
            SELECT pid, extract(epoch FROM backend_start)::text FROM pg_stat_activity WHERE pid = pg_backend_pid()
            """
        )
        guard result.rowCount == 1 else { throw PostgresFailure.overtaken }
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
