import FlowEvents

/// Rows of texts in columns of equal width.
struct TableColumns {
    /// The first column is aligned to the left, the others to the right.
    private var rows: [[String]] = []

    /// Adds a row. All rows have the same number of cells.
    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    /// Returns the rows as lines, indented by four spaces.
    func lines(leftAligned: Set<Int> = [0]) -> [String] {
        guard let count = rows.first?.count else { return [] }
        let widths = (0..<count).map { column in rows.map { TerminalText.width($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - TerminalText.width(row[column]))
                return leftAligned.contains(column) ? row[column] + padding : padding + row[column]
            }
            var line = "    " + cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
