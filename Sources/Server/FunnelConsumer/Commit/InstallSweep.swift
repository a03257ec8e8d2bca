import FlowEvents
import Funnels

/// Goes through all rows of a store, a few at a time, once for each day that the horizon moves on: installs that come no
/// more leave their evidence behind for somebody to remove.
struct InstallSweep {
    /// The rows looked at with one commit: a few milliseconds' work, and a million in less than half an hour of load.
    static let rowsAtOnce = 500

    /// The last install that was looked at; `nil` before the first.
    private(set) var last: [UInt8]?
    private var isPassing = false
    // The day that the horizon was at when the last pass began.
    private var day: Day?

    /// Whether rows are to be looked at now.
    mutating func isDue(horizon: Timestamp) -> Bool {
        if isPassing { return true }
        let today = Day(containing: horizon)
        // Evidence is removed by whole days.
        if let day, today <= day { return false }
        day = today
        isPassing = true
        return true
    }

    /// Takes note of the rows that came after ``last``.
    mutating func advance(over rows: [StoredInstall]) {
        isPassing = rows.count == Self.rowsAtOnce
        last = isPassing ? rows.last?.install : nil
    }
}
