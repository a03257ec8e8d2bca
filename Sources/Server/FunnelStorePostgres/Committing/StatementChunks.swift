import Funnels

/// Divides the writes of a commit among statements: many rows in each, but no more bytes than a parameter should have.
struct InstallChunks: Sequence, IteratorProtocol {
    static let maximumRows = 10_000
    static let maximumBytes = 8 << 20

    private let writes: [InstallWrite]
    private var rest: ArraySlice<Int>

    /// Creates the chunks.
    ///
    /// - Parameter indices: the indices of the writes to return, in the order to return them.
    init(_ writes: [InstallWrite], indices: [Int]) {
        self.writes = writes
        rest = indices[...]
    }

    mutating func next() -> ArraySlice<Int>? {
        var (count, bytes) = (0, 0)
        for index in rest {
            bytes += writes[index].install.count + writes[index].state.count
            // A row that is larger than the limit gets a chunk of its own.
            guard count == 0 || (bytes <= Self.maximumBytes && count < Self.maximumRows) else { break }
            count += 1
        }
        guard count > 0 else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
