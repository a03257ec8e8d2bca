@testable import Funnels

extension DayOutcome {
    /// Creates an outcome, and appends its times and details to those of its install.
    init(
        owner: Owner,
        day: Day,
        _ outcome: Outcome,
        times: [Int64],
        _ own: [OutcomeDetail] = [],
        isOutOfOrder: Bool = false,
        in details: inout OutcomeDetails
    ) {
        self.init(owner: owner, day: day, outcome, details: details.end)
        for time in times { details.append(time: time) }
        for detail in own { details.append(detail) }
        detailCount = own.count
        self.isOutOfOrder = isOutOfOrder
    }
}
