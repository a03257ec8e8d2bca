/// A result that two counts of the same events disagree about.
public struct InstallDifference: Sendable, Hashable {
    /// The `install_id`, UTF-8.
    public var install: [UInt8]
    /// The result that only the first count has, or has in this way.
    public var first: InstallResult?
    /// The result that only the second count has, or has in this way.
    public var second: InstallResult?

    /// Compares what two counts have of one install.
    ///
    /// - Parameters:
    ///   - install: the `install_id`.
    ///   - first: the first count's results; none where it does not know the install.
    ///   - second: the second count's.
    ///   - day: the first day that is compared; `nil` for all days.
    /// - Returns: the differences, by funnel, actor and day.
    public static func between(
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

    /// Whose result of which day it is.
    private struct Key: Hashable, Comparable {
        let funnel: Int
        let session: [UInt8]?
        let value: [UInt8]?
        let day: Day

        init(_ result: InstallResult) {
            funnel = result.funnel
            session = result.session
            value = result.value
            day = result.day
        }

        static func < (lhs: Key, rhs: Key) -> Bool {
            if (lhs.funnel, lhs.day) != (rhs.funnel, rhs.day) { return (lhs.funnel, lhs.day) < (rhs.funnel, rhs.day) }
            if lhs.session != rhs.session { return precedes(lhs.session, rhs.session) }
            return precedes(lhs.value, rhs.value)
        }

        // Nothing comes before something, even before an empty text.
        private static func precedes(_ lhs: [UInt8]?, _ rhs: [UInt8]?) -> Bool {
            guard let rhs else { return false }
            return lhs.map { $0.lexicographicallyPrecedes(rhs) } ?? true
        }
    }
}
