import FlowEvents

@testable import Funnels

/// Equal attempts of one day in ``funnel``, from which tests make segments.
struct SummaryRecord {
    var gaps: DayGaps
    var outcome: Outcome
    /// The milliseconds from the first step to each other step met, in order of the steps.
    var times: [Int64]
    /// How many attempts are added; negative where they are removed.
    var count: Int64
    /// What the attempts add to the sums of the steps a and c, as far as they met them; `nil` where they have no amount.
    var amounts: [Amount?] = []
    var next: String?

    struct Amount {
        var amount: Int64
        var unit: String
    }

    init(gaps: DayGaps, _ outcome: Outcome, times: [Int64], count: Int64) {
        self.gaps = gaps
        self.outcome = outcome
        self.times = times
        self.count = count
    }

    static func funnel() throws -> Funnel {
        try Funnel(
            name: "f",
            window: .seconds(1),
            exclusions: [Exclusion(event: "x")],
            next: NextEvent("y", field: "screen"),
            steps: [
                Step(name: "a", event: "a").summing("x"), Step(name: "b", event: "b", isOptional: true),
                Step(name: "c", event: "c").summing("x"), Step(name: "d", event: "d", isOptional: true),
                Step(name: "e", event: "e"),
            ]
        )
    }
}

extension SummaryGroup {
    mutating func add(_ record: SummaryRecord) throws {
        let funnel = try SummaryRecord.funnel()
        var state = InstallState(FunnelMatcher(funnels: [funnel]))
        var own = zip([0, 2], record.amounts).map { step, amount in
            OutcomeDetail(
                subject: .sum(step: step),
                text: amount.map { state.strings.intern($0.unit.utf8) },
                amount: amount?.amount ?? 0
            )
        }
        if let next = record.next {
            own.append(OutcomeDetail(subject: .next(rank: record.outcome.rank), text: state.strings.intern(next.utf8)))
        }
        let best = DayOutcome(
            owner: DayOutcome.Owner(funnel: 0, actor: nil, value: nil),
            day: Day(number: 0),
            record.outcome,
            times: record.times,
            own,
            in: &state.details
        )
        add(best, of: state, FunnelRules(funnel), count: record.count)
    }
}

extension SummarySegment {
    static func encoded(_ records: [SummaryRecord]) throws -> [UInt8] {
        var groups: [DayGaps: SummaryGroup] = [:]
        for record in records { try groups[record.gaps, default: SummaryGroup()].add(record) }
        return encoded(groups)
    }
}
