import Foundation

/// By what a consumer knows its own commit again after the connection was lost while it was under way.
///
/// Each consumer has a row of its own, and each commit writes its number there. Looking waits for a transaction that
/// still has the row, so the answer is final: what is not there then will never be.
struct CommitMark {
    let writer: UUID
    let number: Int64

    /// Writes the mark as a part of the commit's transaction.
    func write(to connection: PostgresConnection) throws {
        try connection.execute(
            """
            INSERT INTO flow_funnels_writers(writer, commit_number, seen) VALUES ($1::text::uuid, $2, now())
            ON CONFLICT (writer) DO UPDATE SET commit_number = excluded.commit_number, seen = excluded.seen
            """,
            [.text(writer.uuidString), .int8(number)]
        )
    }

    /// Whether the commit happened.
    func stands(in connection: PostgresConnection) throws -> Bool {
        // Writes, because that waits for another transaction's first insert of the row, too.
        let result = try connection.execute(
            """
            INSERT INTO flow_funnels_writers(writer, commit_number, seen) VALUES ($1::text::uuid, 0, now())
            ON CONFLICT (writer) DO UPDATE SET seen = excluded.seen RETURNING commit_number
            """,
            [.text(writer.uuidString)]
        )
        return result.rowCount == 1 && result.integer(0, 0) == number
    }

    /// Removes the rows of consumers that are long gone.
    static func forgetOld(in connection: PostgresConnection) throws {
        try connection.execute("DELETE FROM flow_funnels_writers WHERE seen < now() - interval '30 days'")
    }

    /// Removes a consumer's row when it ends.
    static func forget(_ writer: UUID, in connection: PostgresConnection) throws {
        try connection.execute(
            "DELETE FROM flow_funnels_writers WHERE writer = $1::text::uuid",
            [.text(writer.uuidString)]
        )
    }
}
