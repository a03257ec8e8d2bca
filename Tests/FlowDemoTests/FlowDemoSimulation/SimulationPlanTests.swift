import FlowDemoSimulation
import FlowEvents
import Testing

@Suite struct SimulationPlanTests {
    private static let day: Int64 = 86_400_000

    @Test(arguments: [0, 1, 1234, day - 1, -1, 20_000 * day, 20_000 * day + 1])
    func `a plan is of whole days, the last of which has just ended`(now: Int64) {
        let plan = SimulationPlan(people: 3, days: 2, before: Timestamp(milliseconds: now), seed: 1)
        #expect(plan.end.milliseconds <= now)
        #expect(plan.end.milliseconds > now - Self.day)
        #expect(plan.end.milliseconds % Self.day == 0)
        #expect(plan.start.milliseconds == plan.end.milliseconds - 2 * Self.day)
        #expect(plan.people == 0..<3)
    }
}
