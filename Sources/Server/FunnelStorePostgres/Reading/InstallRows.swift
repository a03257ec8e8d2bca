import Funnels

/// Joins the rows of installs and of their histories, which a statement returns in any order.
struct InstallRows<Key: Hashable> {
    private var installs: [(key: Key, row: StoredInstall)] = []
    private var histories: [Key: [HistoryRow]] = [:]

    /// Adds a row of an install.
    mutating func add(_ row: StoredInstall, at key: Key) {
        installs.append((key, row))
    }

    /// Adds a row of an install's history.
    mutating func add(_ row: HistoryRow, at key: Key) {
        histories[key, default: []].append(row)
    }

    /// Returns the installs, each with its history in order.
    func joined() -> [StoredInstall] {
        installs.map { key, row in
            guard let history = histories[key] else { return row }
            var row = row
            row.history = history.sorted { $0.number < $1.number }
            return row
        }
    }
}
