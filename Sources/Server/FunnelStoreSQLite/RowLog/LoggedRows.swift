import Funnels

/// The rows of installs whose newest states are in the table `row_log`, and not in the table `installs` yet.
///
/// A live commit changes the rows of many installs by one event each. Written in place, each of them is a page of the file.
/// The log has their patches one after another, and a row is written in place once for many events.
struct LoggedRows: Sendable {
    /// The newest version of a row.
    struct Row: Sendable {
        var version: Int64
        var state: [UInt8]
    }

    /// What a transaction changes, once it is committed.
    enum Change: Sendable {
        /// These rows were logged, those with an install for the first time.
        case logged([(newInstall: [UInt8]?, id: Int64, row: Row)], byteCount: Int)
        /// All rows are in the table `installs` now.
        case written
    }

    // The states are mostly those of the consumer's cache. When they or the log reach their limit, all rows are written in
    // place. The second limit bounds the time that opening a store after a crash takes.
    private static let greatestStateByteCount = 64 << 20
    private static let greatestLogByteCount = 16 << 20
    // A commit of more updates is one of a consumer that catches up. It takes in many events of a row, so a patch is nearly
    // as long as the row, and a row is soon written again.
    private static let greatestUpdateCount = 16_384

    /// The rows by their ids in the table `installs`.
    private(set) var rows: [Int64: Row] = [:]
    // The same rows by their installs. A reader of the log knows only the ids.
    private var ids: [[UInt8]: Int64] = [:]
    private var stateByteCount = 0
    private var logByteCount = 0

    /// The id of a logged row; `nil` if the row of the install is not logged.
    func id(of install: [UInt8]) -> Int64? { ids.isEmpty ? nil : ids[install] }

    /// Whether the updates of a commit are to be logged, and not written in place.
    ///
    /// - Parameters:
    ///   - count: the number of updated rows.
    ///   - bytes: the size of their states.
    func hasRoom(forUpdates count: Int, of bytes: Int) -> Bool {
        count <= Self.greatestUpdateCount && stateByteCount + bytes <= Self.greatestStateByteCount
            && logByteCount <= Self.greatestLogByteCount
    }

    /// Takes over what a committed transaction has changed.
    mutating func apply(_ change: Change) {
        switch change {
        case .written: self = LoggedRows()
        case .logged(let changed, let byteCount):
            for (install, id, row) in changed {
                if let install { ids[install] = id }
                put(row, id: id)
            }
            logByteCount += byteCount
        }
    }

    mutating func put(_ row: Row, id: Int64) {
        stateByteCount += row.state.count
        if let old = rows.updateValue(row, forKey: id) { stateByteCount -= old.state.count }
    }
}
