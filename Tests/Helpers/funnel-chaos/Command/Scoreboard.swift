/// The result of a run.
struct Scoreboard: Sendable {
    /// The options of the run.
    var title: String
    /// The lines of the table, in order.
    var counts: [(name: String, count: Int)]
    /// The differences from the expected result.
    var differences: [String]

    /// Whether every figure is right.
    var isRight: Bool { differences.isEmpty }

    /// The table as text: one line per count, the differences last.
    var table: String {
        let rows = counts + [("differences", differences.count)]
        let width = rows.map { String($0.count).count }.max() ?? 0
        let lines = rows.map { row in
            let number = String(row.count)
            return "  " + String(repeating: " ", count: width - number.count) + number + "  " + row.name
        }
        return ([title, ""] + lines).joined(separator: "\n") + "\n"
    }
}
