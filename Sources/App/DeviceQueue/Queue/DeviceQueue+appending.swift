import EventTracking
import FlowEvents
import Foundation
import GRDB

/// The events and counts to store in one transaction.
struct Addition: Sendable {
    /// The tracked events, in order.
    var entries: [TrackerBuffer.Entry] = []
    /// The number of earlier events that were lost, by reason. They leave a gap in the sequence.
    var skipped: [DropReason: Int] = [:]
    /// Other losses to report, by reason.
    var losses: [DropReason: Int] = [:]
    /// Whether to store the counts of lost events as events now.
    var reportsLosses = false
    /// The user that the app has named since, if it has.
    var user: TrackerBuffer.User?
    /// Whether no event of this run was stored yet.
    var isLaunch = false
    /// The run of the app that tracked the events.
    var run: Int64
    /// The current time, for the age of events.
    var now: Timestamp

    init(run: Int64, now: Timestamp) {
        self.run = run
        self.now = now
    }
}

/// The result of an ``Addition``.
struct Added: Sendable {
    /// The number of stored events.
    var stored = 0
    /// The rules that invalid events break. Those events are not stored.
    var violations: [EventViolation] = []
    /// The values that were left out.
    var omissions: [Omission] = []
    /// The dropped rows, with the reason.
    var evicted: [(row: Int64, reason: DropReason)] = []
}

extension DeviceQueue {
    /// Appends events with install id, session and sequence number, and drops old events if the queue is full.
    func append(
        _ addition: Addition,
        makeStamper: (Identity, Bool) -> EventStamper
    ) throws(DeviceQueueError) -> Added {
        try transaction { database in
            var added = Added()
            var stamper = makeStamper(try DeviceIdentity.load(from: database), addition.isLaunch)
            for (reason, count) in addition.skipped {
                stamper = stamper.skipping(count)
                try Losses.add(count, reason.code, in: database)
            }
            for (reason, count) in addition.losses { try Losses.add(count, reason.code, in: database) }
            let stamped = stamper.stamp(addition.entries)
            let events = stamped.events
            stamper.name(addition.user)
            for violation in stamped.violations {
                try Losses.add(1, DropReason.invalid(violation.reason).code, in: database)
            }
            var bytes = 0
            for event in events { bytes += try Self.insert(event, of: addition, in: database) }
            if addition.reportsLosses {
                for loss in try Losses.take(from: database) {
                    let note = try stamper.stamp(.note(Losses.draft(loss.reason, loss.count), at: addition.now))
                    bytes += try Self.insert(note, of: addition, reporting: loss, in: database)
                    added.stored += 1
                }
            }
            try DeviceIdentity.save(stamper.identity, addingBytes: bytes, in: database)
            added.stored += events.count
            (added.violations, added.omissions) = (stamped.violations, stamped.omissions)
            added.evicted = try evict(at: addition.now, in: database)
            return added
        }
    }

    private static func insert(
        _ event: EncodedEvent,
        of addition: Addition,
        reporting loss: (reason: String, count: Int)? = nil,
        in database: Database
    ) throws -> Int {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO event(run, event_id, key, value, bytes, stored_at, lost_reason, lost_count)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(arguments: [
            addition.run, event.id, Data(event.key.utf8), Data(event.value), storedSize(event),
            addition.now.milliseconds,
            loss?.reason, loss?.count,
        ])
        return storedSize(event)
    }

    /// The bytes that the file has for an event: the row with its other columns, in the table and its index.
    private static func storedSize(_ event: EncodedEvent) -> Int { event.size + event.id.utf8.count + 64 }

    /// Drops expired events, and the oldest events until the rest fits the limit. Never drops events in flight.
    private func evict(at now: Timestamp, in database: Database) throws -> [(row: Int64, reason: DropReason)] {
        let oldest = now.milliseconds - configuration.maximumAge.wholeMilliseconds
        var bytes = try Int.fetchOne(database, sql: "SELECT bytes FROM state") ?? 0
        var evicted: [(row: Int64, reason: DropReason)] = []
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT id, bytes, stored_at, lost_reason, lost_count FROM event WHERE NOT EXISTS (
                        SELECT 1 FROM flight WHERE id BETWEEN first_row AND last_row AND noted_at >= ?
                    ) ORDER BY id
                    """
            ),
            arguments: [now.milliseconds - Flight.duration.wholeMilliseconds]
        )
        var returned: [(String, Int)] = []
        while let row = try rows.next() {
            let isExpired = (row[2] as Int64) < oldest
            guard isExpired || bytes > configuration.maximumBytes else { break }
            bytes -= row[1] as Int
            evicted.append((row[0], isExpired ? .expired : .queueFull))
            // The event was a count of losses. The count is added again.
            if let reason = row[3] as String?, let count = row[4] as Int? { returned.append((reason, count)) }
        }
        guard !evicted.isEmpty else { return [] }
        let deletion = try database.cachedStatement(sql: "DELETE FROM event WHERE id = ?")
        for (row, reason) in evicted {
            try deletion.execute(arguments: [row])
            try Losses.add(1, reason.code, in: database)
        }
        for (reason, count) in returned { try Losses.add(count, reason, in: database) }
        try database.execute(sql: "UPDATE state SET bytes = ?", arguments: [bytes])
        return evicted
    }
}
