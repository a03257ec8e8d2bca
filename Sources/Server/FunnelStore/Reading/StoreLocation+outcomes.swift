package import Funnels

extension StoreLocation {
    /// Returns the outcome of a column's code.
    ///
    /// - Throws: `StoreError` where no outcome has the code.
    package func outcome(_ code: Int64) throws(StoreError) -> Outcome {
        guard let outcome = Outcome(code: code) else { throw damaged("a count has the outcome \(code)") }
        return outcome
    }

    /// Returns the count of a row.
    ///
    /// - Throws: `StoreError` where no outcome has the code.
    package func outcomeCount(
        previousGap: Int64,
        nextGap: Int64,
        outcome code: Int64,
        actors: Int64
    ) throws(StoreError) -> OutcomeCount {
        let gaps = DayGaps(previous: UInt32(clamping: previousGap), next: UInt32(clamping: nextGap))
        return OutcomeCount(gaps: gaps, outcome: try outcome(code), actors: actors)
    }
}
