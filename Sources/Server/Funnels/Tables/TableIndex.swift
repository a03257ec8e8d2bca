/// The index of an element in a `Table`.
///
/// The type parameter keeps the tables apart: the index of a string cannot be used to look up contents.
struct TableIndex<Table>: Hashable, Comparable, Sendable {
    fileprivate let value: Int32

    init(_ offset: Int) {
        value = Int32(offset)
    }

    /// The number of elements before this one.
    var offset: Int { Int(value) }

    static func < (lhs: TableIndex, rhs: TableIndex) -> Bool { lhs.value < rhs.value }
}

/// Stores an optional ``TableIndex`` in four bytes, where `Optional` takes eight.
///
/// ```swift
/// @CompactIndex var session: TableIndex<StringTable>?
/// ```
///
/// `nil` comes before every index.
@propertyWrapper
struct CompactIndex<Table>: Hashable, Comparable, Sendable {
    /// The index plus 1, or 0 for `nil`: the form in which an install's row stores it.
    private(set) var code: Int32

    init(wrappedValue: TableIndex<Table>?) {
        code = wrappedValue.map { $0.value + 1 } ?? 0
    }

    init(code: Int) {
        self.code = Int32(code)
    }

    @inline(__always)
    var wrappedValue: TableIndex<Table>? {
        get { code == 0 ? nil : TableIndex(Int(code) - 1) }
        set { code = newValue.map { $0.value + 1 } ?? 0 }
    }

    var projectedValue: CompactIndex { self }

    static func < (lhs: CompactIndex, rhs: CompactIndex) -> Bool { lhs.code < rhs.code }
}
