import EventTracking
import FlowEvents
import GRDB

/// Loads and saves the identity in the queue's database.
enum DeviceIdentity {
    static func load(from database: Database) throws -> Identity {
        let sql = "SELECT install_id, next_sequence, session_id, last_event, session_start, user_id FROM state"
        guard let row = try Row.fetchOne(database, sql: sql) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table state has no row")
        }
        var identity = Identity(installID: row[0], nextSequence: row[1], userID: row[5])
        if let session = row[2] as String?, let last = row[3] as Int64? {
            identity.session = Session(
                id: session,
                start: (row[4] as Int64?).map(Timestamp.init(milliseconds:)),
                lastEvent: Timestamp(milliseconds: last)
            )
        }
        return identity
    }

    static func save(_ identity: Identity, addingBytes bytes: Int, in database: Database) throws {
        let sql = """
            UPDATE state SET install_id = ?, next_sequence = ?, session_id = ?, last_event = ?, session_start = ?,
                user_id = ?, bytes = bytes + ?
            """
        try database.execute(
            sql: sql,
            arguments: [
                identity.installID, identity.nextSequence, identity.session?.id,
                identity.session?.lastEvent.milliseconds, identity.session?.start.milliseconds, identity.userID, bytes,
            ]
        )
    }
}
