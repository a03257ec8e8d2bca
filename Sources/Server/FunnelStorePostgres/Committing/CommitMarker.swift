import Foundation

/// The number of a commit, by which a consumer finds out whether the commit succeeded when the connection was lost
/// before the server's answer.
///
/// Each consumer has a row of its own, and each commit writes its number there. ``wasCommitted(in:)`` waits for a
/// transaction that still has the row locked. Its answer is therefore final.
struct CommitMarker {
    let writer: UUID
    let number: Int64

    /// Writes the number, in the commit's transaction.
    func write(to connection: PostgresConnection) throws {
        try connection.execute(
            """
            INSERT INTO flow_funnels_writers(writer, commit_number, seen) VALUES ($1::text::uuid, $2, now())
            ON CONFLICT (writer) DO UPDATE SET commit_number = excluded.commit_number, seen = excluded.seen
            """,
            [.text(writer.uuidString), .int8(number)]
        )
    }

    /// Returns whether the commit succeeded.
    func wasCommitted(in connection: PostgresConnection) throws -> Bool {
        // A write, because it also waits for another transaction that inserts the row for the first time.
        let result = try connection.execute(
            """
            INSERT INTO flow_funnels_writers(writer, commit_number, seen) VALUES ($1::text::uuid, 0, now())
            ON CONFLICT (writer) DO UPDATE SET seen = excluded.seen RETURNING commit_number
            """,
            [.text(writer.uuidString)]
        )
        return result.rowCount == 1 && result.integer(0, 0) == number
    }

    /// Deletes the rows of consumers that were last seen 30 days ago.
    static func deleteOld(in connection: PostgresConnection) throws {
        try connection.execute("DELETE FROM flow_funnels_writers WHERE seen < now() - interval '30 days'")
    }

    /// Deletes the row of a consumer that ends.
    static func delete(_ writer: UUID, in connection: PostgresConnection) throws {
        try connection.execute(
            "DELETE FROM flow_funnels_writers WHERE writer = $1::text::uuid",
            [.text(writer.uuidString)]
        )
    }
}
