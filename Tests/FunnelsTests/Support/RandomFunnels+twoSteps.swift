import FlowEvents
import FunnelTestSupport

@testable import Funnels

extension RandomFunnels {
    /// A funnel from home to the paywall within half an hour.
    static func twoSteps() throws -> [Funnel] {
        [
            try Funnel(
                name: "f",
                window: .seconds(1800),
                steps: [
                    Step(name: "home", event: "screen_view", where: ["screen": "home"]),
                    Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
                ]
            )
        ]
    }
}
