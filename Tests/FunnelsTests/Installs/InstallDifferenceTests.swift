import Testing

@testable import Funnels

@Suite struct InstallDifferenceTests {
    private let install = Array("a".utf8)

    private func result(funnel: Int = 0, session: String? = nil, value: String? = nil, day: Int32 = 0, rank: Int = 1)
        -> InstallResult
    {
        InstallResult(
            funnel: funnel,
            actor: session.map { Array($0.utf8) },
            value: value.map { Array($0.utf8) },
            day: Day(number: day),
            outcome: Outcome(steps: Outcome.firstSteps(rank), rank: rank),
            times: Array(repeating: 1, count: rank - 1)
        )
    }

    private func between(_ first: [InstallResult], _ second: [InstallResult], from: Int32? = nil) -> [InstallDifference]
    {
        InstallDifference.between(install, first, second, from: from.map { Day(number: $0) })
    }

    @Test func `the same results in another order do not differ`() {
        let results = [result(), result(day: 1), result(funnel: 1, session: "s"), result(funnel: 1, value: "v")]
        #expect(between(results, results.reversed()).isEmpty)
    }

    @Test func `what only one has, and what is not the same in both, differ`() {
        let found = between([result(), result(day: 1)], [result(rank: 2), result(day: 2)])
        #expect(found.map(\.first) == [result(), result(day: 1), nil])
        #expect(found.map(\.second) == [result(rank: 2), nil, result(day: 2)])
        #expect(found.allSatisfy { $0.install == install })
    }

    @Test func `days before the first one are not compared`() {
        #expect(between([result(day: 4)], [], from: 5).isEmpty)
        #expect(between([result(day: 5)], [], from: 5).count == 1)
    }

    @Test func `differences come by funnel, day, session and value, nothing before something`() {
        let sorted = [
            result(), result(value: ""), result(value: "v"), result(session: "s"), result(day: 1), result(funnel: 1),
        ]
        #expect(between(sorted.reversed(), []).map(\.first) == sorted)
    }
}
