import FlowEvents
package import Funnels

/// The columns in which a table keeps a `Quality`: one for each count, so that a commit can add to it.
package enum QualityColumns {
    /// The columns' names, separated by commas.
    package static let list = names.joined(separator: ", ")
    /// The columns' names.
    package static let names = columns.map(\.name)

    // Computed, because key paths are not Sendable and so cannot be stored in a constant.
    private static var columns: [(name: String, count: WritableKeyPath<Quality, Int64>)] {
        [
            ("events", \.events),
            ("duplicates", \.duplicates),
            ("late", \.late),
            ("dead_letters", \.deadLetters),
            ("expected", \.completeness.expected),
            ("missing", \.completeness.missing),
            ("unread", \.unread),
            ("capped", \.capped),
            ("unchecked", \.completeness.unchecked),
            ("compacted", \.compacted),
        ] + DropCause.allCases.map { cause in ("dropped_\(cause.rawValue)", \.completeness.dropped[cause]) }
    }

    /// Returns the values of the columns, in the order of ``names``.
    package static func values(of quality: Quality) -> [Int64] {
        columns.map { quality[keyPath: $0.count] }
    }

    /// Reads a quality from its columns.
    ///
    /// - Parameter value: returns the value of the column at an index of ``names``.
    package static func quality(_ value: (Int) throws -> Int64) rethrows -> Quality {
        var quality = Quality()
        for (index, column) in columns.enumerated() { quality[keyPath: column.count] = try value(index) }
        return quality
    }
}
