extension Funnel {
    /// The keys of the definition that the engine does not count by yet.
    ///
    /// The consumer refuses a funnel with such a key. Delete this and its use when the engine counts by all keys.
    package var uncountedKeys: [String] {
        var keys: [String] = []
        if case .by = count { keys.append("count: {by}") }
        if entry != .any { keys.append("entry") }
        if !exclusions.isEmpty { keys.append("exclude") }
        if steps.contains(where: { $0.sum != nil }) { keys.append("sum") }
        if timeZone != .utc { keys.append("timezone") }
        return keys
    }
}
