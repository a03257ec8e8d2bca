import FlowEvents
import GRDB

/// The rows that a run has on their way, which no process may drop meanwhile: they may arrive.
struct Flight: Sendable {
    /// A run that ended without settling its rows, or that iOS has suspended, keeps them for so long: longer than any
    /// sink waits for an answer.
    static let duration = Duration.seconds(600)

    let run: Int64
    /// From the first to the last; `nil` where none is on its way.
    let rows: ClosedRange<Int64>?
    let now: Timestamp

    /// Notes them in place of what the run had noted before, and forgets runs that are long over.
    func note(in database: Database) throws {
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
