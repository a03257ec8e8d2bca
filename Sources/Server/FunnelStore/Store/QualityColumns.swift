package import Funnels

extension Quality {
    /// The counts as a table keeps them: each in a column of its own, to which commits add.
    // Made at each use, because key paths are not Sendable and so cannot be a constant.
    package static var columns: [(name: String, count: WritableKeyPath<Quality, Int64>)] {
        [
            ("events", \.events),
            ("duplicates", \.duplicates),
            ("late", \.late),
            ("dead_letters", \.deadLetters),
            ("expected", \.completeness.expected),
            ("missing", \.completeness.missing),
            ("unread", \.unread),
            ("capped", \.capped),
            ("dropped_queue_full", \.completeness.dropped.queueFull),
            ("dropped_expired", \.completeness.dropped.expired),
            ("dropped_not_stored", \.completeness.dropped.notStored),
            ("dropped_rejected", \.completeness.dropped.rejected),
            ("dropped_other", \.completeness.dropped.other),
            ("unchecked", \.completeness.unchecked),
        ]
    }

    /// The names of ``columns``, with a comma between.
    package static let columnNames = columns.map(\.name).joined(separator: ", ")

    /// Reads the counts of ``columns``, each by its place among them.
    package init(readingColumns value: (Int) throws -> Int64) rethrows {
        self.init()
        for (place, column) in Self.columns.enumerated() { self[keyPath: column.count] = try value(place) }
    }
}
