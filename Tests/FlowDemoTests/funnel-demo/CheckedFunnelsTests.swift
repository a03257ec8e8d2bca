import FlowDemoApp
import FlowDemoSimulation
import Foundation
import FunnelCommandSupport
import FunnelFile
import Funnels
import Testing

@testable import funnel_demo

@Suite struct CheckedFunnelsTests {
    private static func tally() -> SimulationTally {
        var tally = SimulationTally()
        tally.visitors = 10
        tally.paywallViewers = [
            PaywallViewer(layout: .plain, firstDay: "2026-11-19"): 2,
            PaywallViewer(layout: .plain, firstDay: "2026-11-20"): 1,
            PaywallViewer(layout: .video, firstDay: "2026-11-18"): 3,
        ]
        return tally
    }

    /// Ten opened the app, of whom six opened a paywall; five of these were there before the 20th.
    private static func figures(home: Int = 10, next: Int = 4, with: Int = 3, video: Int = 3, crossed: Int = 0) throws
        -> [CheckedFunnels.Figures]
    {
        let text = """
            [{"name":"does-the-profile-help","settledTo":"2026-11-19","steps":[
              {"count":\(home),"next":[{"count":\(next)}]},
              {"count":5,"nextStep":{"with":{"count":\(with),"of":5},"without":{"count":3,"of":5}}},{"count":6}]},
             {"name":"paywall-layout-test","settledTo":"2026-11-19","steps":[{"count":6},{"count":1}],
              "experiment":{"crossed":\(crossed),"variants":[
                {"value":"plain","steps":[{"count":2}]},{"value":"video","steps":[{"count":\(video)}]}]}}]
            """
        return try JSONDecoder().decode([CheckedFunnels.Figures].self, from: Data(text.utf8))
    }

    private static func file() throws -> [Funnel] {
        let path = URL(filePath: #filePath).appending(path: "../../../../config/funnels.yaml").standardizedFileURL.path
        return try FunnelsFile.read(path: path)
    }

    @Test func `the demo's file has the funnels that are checked, as the demo knows them`() throws {
        let file = try Self.file()
        for funnel in [CheckedFunnels.profile, CheckedFunnels.layouts] {
            let funnel = try #require(funnel)
            let found = try #require(file.first { $0.name == funnel.name })
            #expect(found.countingIdentity == funnel.countingIdentity && found.experiment == funnel.experiment)
        }
    }

    @Test func `figures that the simulation counted, too, are said`() throws {
        #expect(
            try CheckedFunnels(Self.tally(), Self.file()).sentence(for: Self.figures()) == """

                   10 people opened the app. 4 of them came to no paywall in time, and the report knows of all where they went.
                   Of the layouts of the paywall, 2 saw plain, 3 saw video on settled days, as in the report.
                """
        )
    }

    @Test func `any other figure is an error`() throws {
        let checked = CheckedFunnels(Self.tally(), try Self.file())
        let wrong = try [
            Self.figures(home: 11), Self.figures(next: 3), Self.figures(with: 2), Self.figures(video: 4),
            Self.figures(crossed: 1),
        ]
        for figures in wrong {
            #expect(throws: CommandFailure.self) { try checked.sentence(for: figures) }
        }
    }

    @Test func `a file with other funnels is not checked`() throws {
        #expect(try CheckedFunnels(Self.tally(), []).sentence(for: Self.figures(home: 11)) == "")
    }
}
