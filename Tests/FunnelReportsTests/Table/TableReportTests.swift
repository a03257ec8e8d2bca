import FlowEvents
import FunnelReports
import Funnels
import Testing

@Suite struct TableReportTests {
    @Test func `the report of the examples reads well`() throws {
        let text = TableReport.render(try ExampleReport.make(), style: TableStyle(width: 72))
        #expect(
            text == """
                home-to-paywall
                installs, within 30m, all days

                    step     installs                                   of first  median
                 1  home           36  ███████████████████████████████    100.0%       –
                 2  paywall        24  ████████████████████▋               66.7%  6m 40s

                profile-to-paywall
                installs, within 30m, all days

                    step     installs                                   of first  median
                 1  profile        31  ███████████████████████████████    100.0%       –
                 2  paywall        17  █████████████████                   54.8%   1m 9s

                paywall-to-purchase
                sessions, within 1h, all days

                    step      sessions                                  of first  median
                 1  paywall         49  ██████████████████████████████    100.0%       –
                 2  purchase        22  █████████████▍                     44.9%    4.0s

                paywall_source: home
                 1  paywall         37  ██████████████████████████████    100.0%       –
                 2  purchase        17  █████████████▊                     45.9%    3.8s

                paywall_source: profile
                 1  paywall         19  ██████████████████████████████    100.0%       –
                 2  purchase         5  ███████▉                           26.3%   1m 4s

                paywall_source: settings
                 1  paywall         18  ██████████████████████████████    100.0%       –
                 2  purchase         9  ███████████████                    50.0%    4.0s

                539 events read, 19 repeats ignored, 0 late, 0 dead letters, 0 unread
                519 expected by their numbers: 519 received, 0 missing

                """
        )
    }

    @Test func `three steps show each step's share of the one before, wide names in line`() throws {
        let funnel = try ExampleReport.funnel("f", steps: ["home", "購入🎉", "\u{1B}[31mred"])
        var result = ExampleReport.result(funnel, [1990, 1708, 0], 400_000)
        result.steps[2].medianFromFirst = nil
        result.steps[2].medianFromPrevious = nil
        result.from = Day("2026-11-01")
        result.to = Day("2026-11-07")
        let report = FunnelReport(
            funnels: [result],
            quality: Quality(
                events: 57195,
                duplicates: 12,
                deadLetters: 1,
                completeness: Completeness(
                    expected: 70_000,
                    missing: 13_000,
                    dropped: DropCounts(queueFull: 10_000, expired: 5),
                    unchecked: 1
                ),
                unread: 2000
            )
        )
        let text = TableReport.render(report, style: TableStyle(width: 80))
        #expect(
            text == #"""
                f
                installs, within 30m, entered from 2026-11-01 to 2026-11-07 (UTC)

                    step           installs                of first  median  of previous  median
                 1  home              1,990  ████████████    100.0%       –            –       –
                 2  購入🎉            1,708  ██████████▎      85.8%  6m 40s        85.8%  6m 40s
                 3  \u{1B}[31mred         0                    0.0%       –         0.0%       –

                57,195 events read, 12 repeats ignored, 0 late, 1 dead letter, 2,000 unread
                70,000 expected by their numbers: 57,000 received, 13,000 missing
                of the missing, the apps dropped 10,000 (queue full), 5 (too old); 2,995 not explained
                1 install left out: the numbers make no sense

                """#
        )
    }

    @Test func `a narrow terminal has no bars, and cuts long names`() throws {
        let funnel = try ExampleReport.funnel("f", steps: ["a very long name of a step", "b"])
        let report = FunnelReport(funnels: [ExampleReport.result(funnel, [2, 1], 1)], quality: Quality())
        let text = TableReport.render(report, style: TableStyle(width: 40))
        #expect(!text.contains("█"))
        #expect(text.contains(" 1  a very long …         2    100.0%"))
    }

    @Test func `colors are written only when they are asked for`() throws {
        let report = try ExampleReport.make()
        #expect(!TableReport.render(report, style: TableStyle()).contains("\u{1B}"))
        let colored = TableReport.render(report, style: TableStyle(hasColor: true))
        #expect(colored.contains("\u{1B}[1mhome-to-paywall\u{1B}[0m"))
    }

    @Test func `a funnel that nobody entered is all dashes`() throws {
        let funnel = try ExampleReport.funnel("f", steps: ["a", "b"])
        let result = ExampleReport.result(funnel, [0, 0], nil)
        let text = TableReport.render(FunnelReport(funnels: [result], quality: Quality()), style: TableStyle())
        #expect(text.contains("0 events read, 0 repeats ignored, 0 late, 0 dead letters, 0 unread\n"))
        #expect(text.contains("no events are numbered: what is missing is not known\n"))
        #expect(!text.contains("%"))
    }

    @Test(arguments: [(1, "1 install left out"), (2000, "2,000 installs left out")] as [(Int64, String)])
    func `installs that were left out for too many events are told where there are any`(
        count: Int64,
        text: String
    ) {
        let none = TableReport.render(FunnelReport(funnels: [], quality: Quality(events: 9)), style: TableStyle())
        #expect(!none.contains("left out"))
        let report = FunnelReport(funnels: [], quality: Quality(events: 9, capped: count))
        #expect(TableReport.render(report, style: TableStyle()).contains("\(text) for too many events"))
    }
}
