import FlowEvents
import Funnels
import Testing

@testable import LiveEvents

struct KnownScreensTests {
    @Test func `the names of steps, exclusions and next events are known`() throws {
        let text = Condition.Test.self
        let funnel = try Funnel(
            name: "f",
            window: .seconds(60),
            exclusions: [Exclusion(event: "screen_view").where("screen", .is("help"))],
            steps: [
                Step(
                    name: "a",
                    any: [
                        EventPattern(event: "screen_view").where("screen", text.is("home", "start")),
                        EventPattern(event: "screen_view").where("screen", .hasPrefix("tour-")),
                        EventPattern(event: "tap").where("screen", .contains("wall")),
                    ]
                ),
                Step(name: "b", any: [EventPattern(event: "screen_view").where("screen", .isNot("splash"))]),
            ]
        )
        let known = KnownScreens(funnels: [funnel], list: ["about"])
        for name in ["home", "start", "tour-1", "paywall", "wall", "splash", "help", "about"] {
            #expect(known.contains(name), "\(name)")
        }
        for name in ["", "hom", "home ", "Home", "a-tour-1", "wal"] { #expect(!known.contains(name), "\(name)") }
    }

    @Test func `a screen whose bytes no funnel has is not known, though its text looks the same`() throws {
        let funnel = try Funnel(
            name: "f",
            window: .seconds(60),
            steps: [Step(name: "a", event: "screen_view").where("screen", .is("caf\u{E9}"))]
        )
        let known = KnownScreens(funnels: [funnel], list: ["men\u{FA}"])
        #expect(known.contains("caf\u{E9}") && known.contains("men\u{FA}"))
        #expect(!known.contains("cafe\u{301}") && !known.contains("menu\u{301}"))
    }

    @Test func `a list has a name a line`() {
        let lines = ["home", "  settings ", "", " ", "# the shop", "paywall: year"]
        #expect(KnownScreens.names(in: lines) == ["home", "settings", "paywall: year"])
        #expect(KnownScreens.names(in: []) == [])
    }
}
