import EventTracking
import FlowEvents
import GRDB

/// The counts of what was lost since it was last told: one for each reason, each to become a `DropNotice`.
enum Losses {
    static func add(_ count: Int, _ reason: String, in database: Database) throws {
        guard count > 0 else { return }
        let sql = "INSERT INTO loss VALUES (?, ?) ON CONFLICT (reason) DO UPDATE SET count = count + excluded.count"
        try database.execute(sql: sql, arguments: [reason, count])
    }

    static func areThere(in database: Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM loss)") ?? false
    }

    /// Takes the counts out.
    static func take(from database: Database) throws -> [(reason: String, count: Int)] {
        let rows = try Row.fetchAll(database, sql: "SELECT reason, count FROM loss ORDER BY reason")
        try database.execute(sql: "DELETE FROM loss")
        return rows.map { ($0[0], $0[1]) }
    }

    static func draft(_ reason: String, _ count: Int) -> EventDraft {
        EventDraft(
            type: DropNotice.eventType,
            properties: [
                DropNotice.reasonProperty: .string(reason), DropNotice.countProperty: .number(Double(count)),
            ]
        )
    }
}
