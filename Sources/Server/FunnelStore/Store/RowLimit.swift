package import Funnels

/// How many rows of installs are read at once: so many rows, or so many bytes, whichever comes first.
///
/// A row of an install with its history has up to 12 MB, so a number of rows alone bounds no memory. All that read rows in
/// batches use the limits of this file.
public struct RowLimit: Sendable, Hashable {
    /// The greatest number of rows; 1 or more.
    public var rowCount: Int
    /// The number of bytes of states and histories after which a batch ends. A batch has at least one row, whatever its
    /// size.
    public var byteCount: Int

    /// Creates a limit.
    public init(rowCount: Int, byteCount: Int) {
        self.rowCount = rowCount
        self.byteCount = byteCount
    }

    /// What a statement of PostgreSQL has of rows or parameters, all of which libpq keeps in memory.
    package static let statement = RowLimit(rowCount: 10_000, byteCount: 8 << 20)
    /// No limit.
    package static let none = RowLimit(rowCount: .max, byteCount: .max)
    /// What a rebuild or a verification reads of each of two stores at once: 8 MiB.
    package static let batch = RowLimit(rowCount: 10_000, byteCount: 8 << 20)
    /// What a consumer looks through for old evidence with each commit. It takes a few milliseconds, and a million rows take
    /// under half an hour of load.
    package static let sweep = RowLimit(rowCount: 500, byteCount: 8 << 20)
    /// The histories that a consumer reads at once to remove old evidence from them.
    package static let histories = RowLimit(rowCount: 50, byteCount: 16 << 20)
}

extension StoredInstall {
    /// What the row counts toward ``RowLimit/byteCount``.
    package var byteCount: Int { install.count + state.count + history.reduce(0) { $0 + $1.state.count } }
}
