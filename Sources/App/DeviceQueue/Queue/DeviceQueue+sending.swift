import EventTracking
import FlowEvents
import Foundation
import GRDB

/// The outcomes of sent events.
struct DeliverySettlement: Sendable {
    /// The rows that the sink delivered.
    var delivered: [Int64] = []
    /// The rows that the sink rejected, with the events that were sent.
    var rejected: [(row: Int64, event: EncodedEvent, failure: SinkFailure)] = []
}

/// The changes that a ``DeliverySettlement`` made in the queue.
struct Settled: Sendable {
    /// The number of delivered rows that were in the queue.
    var delivered = 0
    /// The number of rows that are now in quarantine, by the code of the sink.
    var rejected: [String: Int] = [:]
    /// The number of rows that were no longer in the queue.
    var gone = 0
    /// Whether there are losses to report.
    var hasLosses = false
}

extension DeviceQueue {
    /// Returns the rows after `row` with their sizes, oldest first; at most 10,000.
    func rows(after row: Int64) throws(DeviceQueueError) -> [(row: Int64, bytes: Int)] {
        if hasOptedOut { return [] }
        try checkRows()
        return try reading { database in
            let sql = "SELECT id, bytes FROM event WHERE id > ? ORDER BY id LIMIT 10000"
            return try Row.fetchAll(database, sql: sql, arguments: [row]).map { ($0[0], $0[1]) }
        }
    }

    /// Sets the clock offset of a run. Only the first call has an effect. The offset applies to events that were never sent.
    func fixOffset(_ milliseconds: Int64, of run: Int64) throws(DeviceQueueError) {
        try transaction { database in
            let sql = "INSERT OR IGNORE INTO run_offset SELECT ?, ?, sent_through FROM state"
            try database.execute(sql: sql, arguments: [run, milliseconds])
            // The offset of an older run is not needed after its events are gone. One of the newest runs may be another
            // process that goes on.
            try database.execute(
                sql: """
                    DELETE FROM run_offset WHERE run <> ? AND run NOT IN (SELECT run FROM event)
                        AND run NOT IN (SELECT run FROM run_offset ORDER BY after_event DESC LIMIT 100)
                    """,
                arguments: [run]
            )
        }
    }

    /// Marks rows as in flight, and returns their events without those that are no longer in the queue.
    ///
    /// An event has the same bytes in every call, because its clock offset is set before the first attempt or never.
    func claim(_ rows: [Int64], _ flight: Flight) throws(DeviceQueueError) -> [Int64: EncodedEvent] {
        if hasOptedOut { return [:] }
        try checkRows()
        let events = try transaction { database in
            let sql = "UPDATE state SET sent_through = max(sent_through, ?)"
            try database.execute(sql: sql, arguments: [rows.max() ?? 0])
            try flight.save(in: database)
            return try Self.load(rows, from: database)
        }
        var claimed: [Int64: EncodedEvent] = [:]
        for (row, event, offset) in events {
            // If the corrected event would be invalid, the original is sent: a wrong time is better than a lost event.
            let value = offset == 0 ? nil : try? ClockOffset.applied(offset, to: event.value)
            claimed[row] = value.map { EncodedEvent(id: event.id, key: event.key, value: $0) } ?? event
        }
        return claimed
    }

    private static func load(
        _ rows: [Int64],
        from database: Database
    ) throws -> [(row: Int64, event: EncodedEvent, offset: Int64)] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT event_id, key, value, CASE WHEN id > after_event THEN milliseconds ELSE 0 END
                FROM event LEFT JOIN run_offset USING (run) WHERE id = ?
                """
        )
        return try rows.compactMap { id in
            guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
            let event = EncodedEvent(
                id: row[0],
                key: String(decoding: row[1] as Data, as: UTF8.self),
                value: [UInt8](row[2] as Data)
            )
            return (id, event, row[3])
        }
    }

    /// Removes delivered events, and moves rejected ones to the quarantine.
    func settle(_ settlement: DeliverySettlement, _ flight: Flight) throws(DeviceQueueError) -> Settled {
        try checkRows()
        return try transaction { database in
            var settled = Settled()
            var bytes = 0
            let deletion = try database.cachedStatement(
                sql: "DELETE FROM event WHERE id = ? RETURNING bytes, lost_reason, lost_count"
            )
            func delete(_ row: Int64) throws -> Row? {
                let deleted = try Row.fetchOne(deletion, arguments: [row])
                if let deleted { bytes += deleted[0] as Int } else { settled.gone += 1 }
                return deleted
            }
            for row in settlement.delivered where try delete(row) != nil { settled.delivered += 1 }
            for (row, event, failure) in settlement.rejected {
                guard let deleted = try delete(row) else { continue }
                // The event was a count of losses. The count is added again.
                if let reason = deleted[1] as String?, let count = deleted[2] as Int? {
                    try Losses.add(count, reason, in: database)
                }
                settled.rejected[failure.code, default: 0] += 1
                try Losses.add(1, DropReason.rejected(code: failure.code).code, in: database)
                try quarantine(row, event, failure, in: database)
            }
            try database.execute(sql: "UPDATE state SET bytes = bytes - ?", arguments: [bytes])
            try flight.save(in: database)
            settled.hasLosses = try Losses.exist(in: database)
            return settled
        }
    }

    private func quarantine(
        _ row: Int64,
        _ event: EncodedEvent,
        _ failure: SinkFailure,
        in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO quarantine VALUES (?, ?, ?, ?, ?)",
            arguments: [row, event.id, Data(event.value), failure.code, failure.detail]
        )
        try database.execute(
            sql: "DELETE FROM quarantine WHERE id IN (SELECT id FROM quarantine ORDER BY id DESC LIMIT -1 OFFSET ?)",
            arguments: [configuration.maximumQuarantineCount]
        )
        try database.execute(
            sql: """
                DELETE FROM quarantine WHERE id IN (
                    SELECT id FROM (
                        SELECT id, sum(length(value) + length(event_id) + length(code) + length(detail) + 64)
                            OVER (ORDER BY id DESC) AS total FROM quarantine
                    ) WHERE total > ?
                )
                """,
            arguments: [configuration.maximumQuarantineBytes]
        )
    }

    /// Returns the events that the sink rejected, in the order in which they were tracked.
    ///
    /// - Throws: ``DeviceQueueError`` if the file cannot be read.
    public func quarantined() throws(DeviceQueueError) -> [QuarantinedEvent] {
        try reading { database in
            try Row.fetchAll(database, sql: "SELECT event_id, value, code, detail FROM quarantine ORDER BY id").map {
                QuarantinedEvent(id: $0[0], value: [UInt8]($0[1] as Data), code: $0[2], detail: $0[3])
            }
        }
    }
}

/// An event that the sink rejected.
public struct QuarantinedEvent: Sendable, Hashable {
    /// The CloudEvents `id`.
    public var id: String
    /// The CloudEvents JSON that was sent.
    public var value: [UInt8]
    /// The code of the failure.
    public var code: String
    /// The detail of the failure, for people.
    public var detail: String
}
