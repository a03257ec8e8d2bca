import FlowEvents
import Funnels

/// Schedules a pass over all rows of a store, some with each commit, once for each day that the horizon moves on.
///
/// The pass removes old evidence of installs that send no more events.
struct InstallSweep {
    /// The last install that was read; `nil` before the first.
    private(set) var last: [UInt8]?
    private var isPassing = false
    // The horizon's day when the last pass began.
    private var day: Day?

    /// Returns whether to read rows now.
    mutating func isDue(horizon: Timestamp) -> Bool {
        if isPassing { return true }
        let today = Day(containing: horizon)
        // Evidence is removed by whole days.
        if let day, today <= day { return false }
        day = today
        isPassing = true
        return true
    }

    /// Records the rows that were read after ``last``; none at the end of the pass.
    mutating func advance(over rows: [StoredInstall]) {
        isPassing = !rows.isEmpty
        last = rows.last?.install
    }
}
