import EventTracking
import FlowEvents
import Foundation
import GRDB

/// What is to be stored in one transaction.
struct Addition: Sendable {
    /// What was tracked, in its order.
    var entries: [TrackerBuffer.Entry] = []
    /// What was tracked before and lost, by reason: it leaves a gap in the sequence.
    var skipped: [DropReason: Int] = [:]
    /// What else was lost and is to be told.
    var losses: [DropReason: Int] = [:]
    /// Whether the counts of what was lost become events now.
    var tellsLosses = false
    /// The run that the events belong to.
    var run: Int64
    /// The moment, for the age of events.
    var now: Timestamp

    init(run: Int64, now: Timestamp) {
        self.run = run
        self.now = now
    }
}

/// What became of an ``Addition``.
struct Added: Sendable {
    /// How many are in the queue.
    var stored = 0
    /// Rules that events broke; those events are not in the queue.
    var violations: [EventViolation] = []
    /// The rows that had to go, with the reason.
    var evicted: [(row: Int64, reason: DropReason)] = []
}

extension DeviceQueue {
    /// Stores events behind all others, with who, in which session and in which order, and makes room for them.
    func append(
        _ addition: Addition,
        makeStamper: (Identity) -> EventStamper
    ) throws(DeviceQueueError) -> Added {
        try transaction { database in
            var added = Added()
            var stamper = makeStamper(try DeviceIdentity.load(from: database))
            for (reason, count) in addition.skipped {
                stamper = stamper.skipping(count)
                try Losses.add(count, reason.code, in: database)
            }
            for (reason, count) in addition.losses { try Losses.add(count, reason.code, in: database) }
            let (events, violations) = stamper.stamp(addition.entries)
            for violation in violations {
                try Losses.add(1, DropReason.invalid(violation.reason).code, in: database)
            }
            var bytes = 0
            for event in events { bytes += try Self.insert(event, of: addition, in: database) }
            if addition.tellsLosses {
                for loss in try Losses.take(from: database) {
                    let note = try stamper.stamp(.note(Losses.draft(loss.reason, loss.count), at: addition.now))
                    bytes += try Self.insert(note, of: addition, tellingOf: loss, in: database)
                    added.stored += 1
                }
            }
            try DeviceIdentity.save(stamper.identity, addingBytes: bytes, in: database)
            added.stored += events.count
            added.violations = violations
            added.evicted = try evict(at: addition.now, in: database)
            return added
        }
    }

    private static func insert(
        _ event: EncodedEvent,
        of addition: Addition,
        tellingOf loss: (reason: String, count: Int)? = nil,
        in database: Database
    ) throws -> Int {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO event(run, event_id, key, value, bytes, stored_at, lost_reason, lost_count)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(arguments: [
            addition.run, event.id, Data(event.key.utf8), Data(event.value), event.size, addition.now.milliseconds,
            loss?.reason, loss?.count,
        ])
        return event.size
    }

    /// Drops what is too old, and the oldest until the rest is within the bound; never what is on its way.
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
            // A count that could not be told is counted on.
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
