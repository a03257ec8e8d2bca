import EventTracking
import FlowEvents
import GRDB

/// The number of lost events that are not reported yet, by reason. Each number becomes a `DropNotice`.
enum Losses {
    private static let maximumCount = 50
    private static let maximumReasonBytes = 200

    static func add(_ count: Int, _ reason: String, in database: Database) throws {
        guard count > 0 else { return }
        let known = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM loss WHERE reason <> ?",
            arguments: [reason]
        )
        // A server may answer with ever new codes.
        let isKept = (known ?? 0) < maximumCount && reason.utf8.count <= maximumReasonBytes
        let sql = "INSERT INTO loss VALUES (?, ?) ON CONFLICT (reason) DO UPDATE SET count = count + excluded.count"
        try database.execute(sql: sql, arguments: [isKept ? reason : "other", count])
    }

    static func exist(in database: Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM loss)") ?? false
    }

    /// Removes and returns the numbers.
    static func take(from database: Database) throws -> [(reason: String, count: Int)] {
        let rows = try Row.fetchAll(database, sql: "SELECT reason, count FROM loss ORDER BY reason")
        try database.execute(sql: "DELETE FROM loss")
        return rows.map { ($0[0], $0[1]) }
    }

    static func draft(_ reason: String, _ count: Int) -> EventDraft {
        EventDraft(
            type: DropNotice.eventType,
            properties: [
                DropNotice.reasonProperty: .string(reason), DropNotice.countProperty: .number(count),
            ]
        )
    }
}
