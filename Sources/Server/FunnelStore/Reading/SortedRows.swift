package import Funnels

/// The rows of a store in the order of their installs' bytes, of which a batch is in memory at a time.
///
/// ```swift
/// var rows = SortedRows(audit.rows)
/// while let row = try rows.next() { print(row.version) }
/// ```
package struct SortedRows {
    /// Returns the rows that follow an install, see ``FunnelAudit/rows(after:limit:)``.
    package typealias Read = (_ install: [UInt8]?, _ limit: RowLimit) throws -> [StoredInstall]

    private let read: Read
    // The rest of the batch, last row first.
    private var rest: [StoredInstall] = []
    private var last: [UInt8]?
    private var isAtEnd = false

    /// - Parameter read: reads a batch.
    package init(_ read: @escaping Read) {
        self.read = read
    }

    /// The next row, which stays the next one; `nil` after the last.
    package mutating func peek() throws -> StoredInstall? {
        if rest.isEmpty, !isAtEnd {
            rest = try read(last, .batch).reversed()
            isAtEnd = rest.isEmpty
            last = rest.first?.install
        }
        return rest.last
    }

    /// Returns the next row; `nil` after the last.
    package mutating func next() throws -> StoredInstall? {
        let row = try peek()
        if row != nil { rest.removeLast() }
        return row
    }
}

/// The rows of two stores side by side: each install once, in the order of the bytes.
package struct JoinedRows {
    private var first: SortedRows
    private var second: SortedRows

    package init(_ first: SortedRows, _ second: SortedRows) {
        self.first = first
        self.second = second
    }

    /// Returns the rows of the next install, of which one may be missing; `nil` after the last install.
    package mutating func next() throws -> (install: [UInt8], first: StoredInstall?, second: StoredInstall?)? {
        switch (try first.peek()?.install, try second.peek()?.install) {
        case (nil, nil): return nil
        case (let install?, nil): return (install, try first.next(), nil)
        case (nil, let install?): return (install, nil, try second.next())
        case (let left?, let right?):
            if left == right { return (left, try first.next(), try second.next()) }
            if left.lexicographicallyPrecedes(right) { return (left, try first.next(), nil) }
            return (right, nil, try second.next())
        }
    }
}

/// The rows of several stores as those of one, in the order of the bytes. Each install is in one of the stores.
package struct MergedRows {
    private var stores: [SortedRows]

    package init(_ stores: [SortedRows]) {
        self.stores = stores
    }

    /// Returns the next row; `nil` after the last.
    package mutating func next() throws -> StoredInstall? {
        var first: (index: Int, install: [UInt8])?
        for index in stores.indices {
            guard let install = try stores[index].peek()?.install else { continue }
            if let first, !install.lexicographicallyPrecedes(first.install) { continue }
            first = (index, install)
        }
        return try first.flatMap { try stores[$0.index].next() }
    }
}
