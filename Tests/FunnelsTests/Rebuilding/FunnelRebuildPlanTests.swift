import FlowEvents
import Funnels
import Testing

@Suite struct FunnelRebuildPlanTests {
    private func funnel(_ name: String, minutes: Int = 30, screen: String = "home") throws -> Funnel {
        try Funnel(
            name: name,
            window: .seconds(minutes * 60),
            steps: [
                Step(name: "first", event: "screen_view", where: ["screen": .string(screen)]),
                Step(name: "second", event: "purchase"),
            ]
        )
    }

    @Test func `only what was asked for changes, also where the file says more`() throws {
        let stored = try [funnel("a"), funnel("b"), funnel("gone")]
        let file = try [funnel("new"), funnel("b", minutes: 45), funnel("a", minutes: 5), funnel("other")]
        let plan = try FunnelRebuildPlan(from: stored, to: file, names: ["b", "new"])
        #expect(try plan.funnels == [funnel("new"), funnel("b", minutes: 45), funnel("a"), funnel("gone")])
        #expect(plan.sources == [.counted, .counted, .kept(0), .kept(2)])
        #expect(plan.moves == [0: 2, 2: 3] && plan.removed.isEmpty && !plan.isEmpty)
        #expect(plan.counted.map(\.name) == ["new", "b"])
    }

    @Test func `without a name all that differs is made what the file says`() throws {
        let stored = try [funnel("a"), funnel("b"), funnel("gone")]
        let file = try [funnel("b", minutes: 45), funnel("a"), funnel("new")]
        let plan = try FunnelRebuildPlan(from: stored, to: file, names: [])
        #expect(plan.funnels == file && plan.sources == [.counted, .kept(0), .counted])
        #expect(try plan.removed == [funnel("gone")])
        let again = try FunnelRebuildPlan(from: plan.funnels, to: file, names: [])
        #expect(again.isEmpty && again.changes.isEmpty)
    }

    @Test func `a funnel that is the same can be counted again, and one that is gone removed`() throws {
        let stored = try [funnel("a"), funnel("b")]
        let again = try FunnelRebuildPlan(from: stored, to: stored, names: ["b"])
        #expect(again.sources == [.kept(0), .counted] && !again.isEmpty && again.changes.isEmpty)
        let removal = try FunnelRebuildPlan(from: stored, to: [stored[1]], names: ["a"])
        #expect(removal.funnels == [stored[1]] && removal.sources == [.kept(1)] && removal.removed == [stored[0]])
    }

    @Test func `another order moves the funnels and counts none`() throws {
        let stored = try [funnel("a"), funnel("b")]
        let plan = try FunnelRebuildPlan(from: stored, to: stored.reversed(), names: [])
        #expect(plan.sources == [.kept(1), .kept(0)] && !plan.isEmpty)
    }

    @Test func `an unknown name is refused with those that there are`() throws {
        let (stored, file) = (try [funnel("a")], try [funnel("a"), funnel("b")])
        let error = #expect(throws: UnknownFunnels.self) {
            try FunnelRebuildPlan(from: stored, to: file, names: ["a", "c"])
        }
        #expect(error?.description.contains("no funnel 'c'") == true)
        #expect(error?.description.contains("have a, b") == true)
    }

    @Test func `what differs is told with the old and the new definition in short`() throws {
        let stored = try [funnel("a"), funnel("b"), funnel("gone")]
        let file = try [funnel("a", minutes: 45, screen: "start"), funnel("b"), funnel("new")]
        let text = FunnelChanges(from: stored, to: file).description
        #expect(
            text == """
                changed: a (window 30m, now 45m, steps first (screen_view where screen is "home") > second (purchase), now \
                first (screen_view where screen is "start") > second (purchase)); \
                added: new (installs within 30m: first (screen_view where screen is "home") > second (purchase)); \
                removed: gone (installs within 30m: first (screen_view where screen is "home") > second (purchase))
                """
        )
        #expect(FunnelChanges(from: stored, to: file).names == ["a", "new", "gone"])
    }

    @Test func `definitions that look the same and count something else differ`() throws {
        let (composed, decomposed) = (try funnel("a", screen: "\u{E9}"), try funnel("a", screen: "e\u{301}"))
        #expect(!composed.changes(since: decomposed).isEmpty && composed.changes(since: composed).isEmpty)
    }
}
