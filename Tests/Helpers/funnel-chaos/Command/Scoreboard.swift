/// What a run has come to.
struct Scoreboard: Sendable {
    /// The run, in the words of the command line.
    var title: String
    /// What was counted, in the order of the table.
    var counts: [(name: String, count: Int)]
    /// What is not as it has to be.
    var differences: [String]

    /// Whether every figure is right.
    var isRight: Bool { differences.isEmpty }

    /// For people: a line for each count, the differences last.
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
