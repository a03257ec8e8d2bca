extension RandomAccessCollection {
    /// Returns the index of the first element for which the condition holds, found by binary search.
    ///
    /// ```swift
    /// let firstOfTheDay = times.partitioningIndex { $0 >= midnight }
    /// ```
    ///
    /// The collection must be partitioned: the condition holds for no element before the one found, and for all from
    /// it on. Takes O(log *n*) calls of the condition.
    ///
    /// - Returns: `endIndex` where the condition holds for no element.
    @inlinable
    package func partitioningIndex(where condition: (Element) throws -> Bool) rethrows -> Index {
        var low = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if try condition(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
