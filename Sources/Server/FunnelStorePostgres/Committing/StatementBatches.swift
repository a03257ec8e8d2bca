import FunnelStore
import Funnels

/// Divides the rows of a commit among statements: many rows in each, but no more bytes than a parameter should have.
struct StatementBatches: Sequence, IteratorProtocol {
    static let maximumRows = RowLimit.statement.rowCount
    static let maximumBytes = RowLimit.statement.byteCount

    private let byteCount: (Int) -> Int
    private var rest: ArraySlice<Int>

    /// Creates the batches.
    ///
    /// - Parameters:
    ///   - indices: the indices of the rows to return, in the order to return them.
    ///   - byteCount: the size of the row with an index.
    init(indices: [Int], byteCount: @escaping (Int) -> Int) {
        self.byteCount = byteCount
        rest = indices[...]
    }

    /// Creates the batches of writes.
    ///
    /// - Parameter indices: the indices of the writes to return, in the order to return them.
    init(_ writes: [InstallWrite], indices: [Int]) {
        self.init(indices: indices) { writes[$0].install.count + writes[$0].state.count }
    }

    /// Creates the batches of segments, in their order.
    init(_ segments: [SummaryDelta]) {
        self.init(indices: Array(segments.indices)) { index in
            (segments[index].key.value?.count ?? 0) + segments[index].segment.count
        }
    }

    mutating func next() -> ArraySlice<Int>? {
        var (count, bytes) = (0, 0)
        for index in rest {
            bytes += byteCount(index)
            // A row that is larger than the limit gets a batch of its own.
            guard count == 0 || (bytes <= Self.maximumBytes && count < Self.maximumRows) else { break }
            count += 1
        }
        guard count > 0 else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
