import Funnels

/// Cuts the writes of a commit into statements: many rows in each, but no more bytes than a parameter should have.
struct InstallChunks: Sequence, IteratorProtocol {
    static let maximumRows = 10_000
    static let maximumBytes = 8 << 20

    private let writes: [InstallWrite]
    private var rest: ArraySlice<Int>

    /// - Parameter indices: which of `writes`, in the order in which they are to come.
    init(_ writes: [InstallWrite], indices: [Int]) {
        self.writes = writes
        rest = indices[...]
    }

    mutating func next() -> ArraySlice<Int>? {
        var (count, bytes) = (0, 0)
        for index in rest {
            bytes += writes[index].install.count + writes[index].state.count
            // One row of any size goes alone.
            guard count == 0 || (bytes <= Self.maximumBytes && count < Self.maximumRows) else { break }
            count += 1
        }
        guard count > 0 else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
