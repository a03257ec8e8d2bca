/// A result that differs between two counts of the same events.
public struct InstallDifference: Sendable, Hashable {
    /// The `install_id`, UTF-8.
    public var install: [UInt8]
    /// The result of the first count; `nil` where only the second count has one.
    public var first: InstallResult?
    /// The result of the second count; `nil` where only the first count has one.
    public var second: InstallResult?

    /// Compares the results of one install in two counts.
    ///
    /// - Parameters:
    ///   - install: the `install_id`.
    ///   - first: the results of the first count; none where it has no events of the install.
    ///   - second: the results of the second count.
    ///   - day: the first day to compare; `nil` for all days.
    /// - Returns: the differences, in order of funnel, day and actor.
    package static func between(
        _ install: [UInt8],
        _ first: [InstallResult],
        _ second: [InstallResult],
        from day: Day?
    ) -> [InstallDifference] {
        func byKey(_ results: [InstallResult]) -> [Key: InstallResult] {
            let compared = results.filter { result in day.map { $0 <= result.day } ?? true }
            return Dictionary(compared.map { (Key($0), $0) }) { _, last in last }
        }
        let (first, second) = (byKey(first), byKey(second))
        return Set(first.keys).union(second.keys).sorted()
            .filter { first[$0] != second[$0] }
            .map { InstallDifference(install: install, first: first[$0], second: second[$0]) }
    }

    /// The funnel, actor and day of a result.
    private struct Key: Hashable, Comparable {
        let funnel: Int
        let actor: [UInt8]?
        let value: [UInt8]?
        let day: Day

        init(_ result: InstallResult) {
            funnel = result.funnel
            actor = result.actor
            value = result.value
            day = result.day
        }

        static func < (lhs: Key, rhs: Key) -> Bool {
            if (lhs.funnel, lhs.day) != (rhs.funnel, rhs.day) { return (lhs.funnel, lhs.day) < (rhs.funnel, rhs.day) }
            if lhs.actor != rhs.actor { return precedes(lhs.actor, rhs.actor) }
            return precedes(lhs.value, rhs.value)
        }

        // `nil` sorts before every text, including the empty text.
        private static func precedes(_ lhs: [UInt8]?, _ rhs: [UInt8]?) -> Bool {
            guard let rhs else { return false }
            return lhs.map { $0.lexicographicallyPrecedes(rhs) } ?? true
        }
    }
}
