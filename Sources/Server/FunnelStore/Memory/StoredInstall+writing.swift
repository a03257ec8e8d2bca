import Funnels

extension StoredInstall {
    /// Applies a write to the row, or to the row that it creates.
    mutating func apply(_ write: InstallWrite) {
        version = write.expectedVersion + 1
        state = write.state
        guard !write.history.isEmpty else { return }
        var rows = Dictionary(uniqueKeysWithValues: history.map { ($0.number, $0.state) })
        for row in write.history { rows[row.number] = row.state.isEmpty ? nil : row.state }
        history = rows.map { HistoryRow(number: $0.key, state: $0.value) }.sorted { $0.number < $1.number }
    }

    /// Returns the row with a part of its history.
    func with(_ part: HistoryPart) -> StoredInstall {
        guard let last = history.last, last.number > part.greatestNumber else { return self }
        var result = self
        result.history = Array(history.prefix { $0.number <= part.greatestNumber })
        return result
    }
}
