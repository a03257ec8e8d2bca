import FunnelReports
import Funnels
import Testing

@Suite struct ReportReviewTests {
    @Test func `steps and values that differ only in the form of a character are compared apart`() throws {
        // The same letter as one character, and as an e with an accent behind it.
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let funnel = try Funnel(name: "f", window: .seconds(1), breakdown: "screen") {
            Step(name: composed, event: "a")
            Step(name: decomposed, event: "b")
        }
        func report(_ counts: [Int]) -> FunnelReport {
            func steps(_ counts: [Int]) -> [StepResult] {
                funnel.steps.enumerated().map { StepResult(name: $1.name, index: $0, counts: counts) }
            }
            let values = zip([composed, decomposed], counts).map { value, count in
                BreakdownResult(value: .text(value), steps: steps([count, 0]))
            }
            let result = FunnelResult(funnel: funnel, from: nil, to: nil, steps: steps(counts), breakdown: values)
            return FunnelReport(funnels: [result], quality: Quality())
        }
        let review = ReportReview(before: report([7, 3]), after: report([8, 4]), removed: [])
        let change = try #require(review.funnels.first)
        #expect(change.steps.map(\.before) == [7, 3] && change.steps.map(\.after) == [8, 4])
        // In the order of the bytes: the accent behind the letter comes first.
        #expect(change.values.map { $0.steps[0].before } == [3, 7])
        #expect(change.values.map { $0.steps[0].after } == [4, 8])
    }
}
