import FlowEvents
import GRDB

/// The rows that a run has in flight. No process may drop them, because they may be delivered.
struct Flight: Sendable {
    /// How long the rows of a run stay in flight if the run crashed or was suspended. It is longer than any sink waits for
    /// a response.
    static let duration = Duration.seconds(600)

    let run: Int64
    /// From the first to the last row; `nil` if none is in flight.
    let rows: ClosedRange<Int64>?
    let now: Timestamp

    /// Saves the rows of this run, and deletes those of runs that ended long ago.
    func save(in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM flight WHERE run = ? OR noted_at < ?",
            arguments: [run, now.milliseconds - Self.duration.wholeMilliseconds]
        )
        guard let rows else { return }
        try database.execute(
            sql: "INSERT INTO flight VALUES (?, ?, ?, ?)",
            arguments: [run, rows.lowerBound, rows.upperBound, now.milliseconds]
        )
    }
}
