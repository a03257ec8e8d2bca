import FlowEvents
import FunnelReports
import Testing

@testable import Funnels

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
                    dropped: [.queueFull: 10_000, .expired: 5],
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

    @Test func `a report of no days does not read as one of all days`() throws {
        var result = ExampleReport.result(try ExampleReport.funnel("f", steps: ["a"]), [0], nil)
        func line() -> Substring? {
            let report = FunnelReport(funnels: [result], quality: Quality())
            return TableReport.render(report, style: TableStyle(width: 80)).split(separator: "\n").dropFirst().first
        }
        #expect(line() == "installs, within 30m, all days")
        result.hasNoDays = true
        #expect(line() == "installs, within 30m, no days")
        // As when none of the days that were asked for is settled.
        result.from = Day("2026-11-23")
        result.to = Day("2026-11-23")
        #expect(line() == "installs, within 30m, no days")
    }

    @Test(arguments: [
        (Counting.installs, "installs"), (.sessions, "sessions"), (.by(.data("presentation_id")), "presentations"),
        (.by(.property("item")), "values of properties.item"),
    ])
    func `what a funnel counts is a noun`(count: Counting, noun: String) throws {
        let report = FunnelReport(
            funnels: [ExampleReport.result(try ExampleReport.funnel("f", count, steps: ["a", "b"]), [40, 1], 1)],
            quality: Quality()
        )
        #expect(TableReport.render(report, style: TableStyle(width: 80)).contains("\n\(noun), within 30m, all days\n"))
        #expect(PageReport.render(report).contains("Of <b>40</b> \(noun) that reached"))
    }

    @Test func `a step that nobody reached has no sum`() throws {
        var result = ExampleReport.result(try ExampleReport.funnel("f", steps: ["a", "b"]), [1, 0], nil)
        result.steps[1].sums = StepSums(decimals: 2, without: 0, units: [])
        let report = FunnelReport(funnels: [result], quality: Quality())
        #expect(!TableReport.render(report, style: TableStyle(width: 80)).contains("sum at"))
    }

    @Test func `a narrow terminal has no bars, and cuts long names`() throws {
        let funnel = try ExampleReport.funnel("f", steps: ["a very long name of a step", "b"])
        let report = FunnelReport(funnels: [ExampleReport.result(funnel, [2, 1], 1)], quality: Quality())
        let text = TableReport.render(report, style: TableStyle(width: 40))
        #expect(!text.contains("█"))
        #expect(text.contains(" 1  a very long …         2    100.0%"))
    }

    @Test func `short names leave room for the caption`() throws {
        let funnel = try ExampleReport.funnel("f", steps: ["a", "b"])
        let report = FunnelReport(funnels: [ExampleReport.result(funnel, [2, 1], 1000)], quality: Quality())
        #expect(TableReport.render(report, style: TableStyle(width: 72)).contains("\n    step  installs "))
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

    @Test func `a trend, a comparison and times read well at 80 columns`() throws {
        var report = try ExampleReport.full()
        report.funnels[0].breakdown = nil
        let text = TableReport.render(report, style: TableStyle(width: 80))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(
            text == """
                paywall-to-purchase
                sessions, within 1h, entered from 2026-11-14 to 2026-11-20 (UTC)
                settled to 2026-11-19, final to 2026-11-05, held back by partitions 3 and 5

                    step      sessions                                          of first  median
                 1  paywall      4,061  ██████████████████████████████████████    100.0%       –
                 2  purchase       547  █████                                      13.5%    4.0s

                purchase of paywall, over time
                    ▇·▇▇▆█▄
                    entered     paywall  purchase  of first    95% interval
                    2026-11-14      580        78     13.4%  10.9% to 16.5%
                    2026-11-15        0         0         –               –
                    2026-11-16       29         4     13.8%  too few to say
                    2026-11-17      601        81     13.5%  11.0% to 16.4%
                    2026-11-18      590        60     10.2%   8.0% to 12.9%
                    2026-11-19      612        92     15.0%  12.4% to 18.1%
                    2026-11-20      312        22      7.1%   4.7% to 10.4%  open
                open: an open day's conversion can still grow, for 1h after its end; partition 3
                was read up to 2026-11-20 10:15 UTC

                compared with 2026-11-07 to 2026-11-13, changes in percentage points
                    step      sessions  of first  change  95% interval
                    paywall      3,900    100.0%       –             –
                    purchase       500     12.8%    +0.6  -0.8 to +2.1  no clear change
                not all of the later days are settled: the change can still grow

                time from paywall to purchase
                    p10 900ms, p25 2.1s, median 4.0s, p75 12s, p90 25s, p95 32s
                    0 to 1s      60  11.0%  ██████████▎
                    1s to 2s    100  18.3%  █████████████████
                    2s to 5s    187  34.2%  ████████████████████████████████
                    5s to 10s     0   0.0%
                    10s to 30s  150  27.4%  █████████████████████████▋
                    30s to 1m    50   9.1%  ████████▌

                539 events read, 19 repeats ignored, 0 late, 0 dead letters, 0 unread
                519 expected by their numbers: 519 received, 0 missing

                """
        )
    }

    @Test func `sums, exclusions and entries follow the steps, and sums and exclusions those of each value`() throws {
        var report = try ExampleReport.full()
        let sums = StepSums(decimals: 2, without: 3, units: [StepSums.Unit(unit: "EUR", sum: 123_450, count: 120)])
        report.funnels[0].entries = EntryCounts(counts: [5, 4, 3, 2, 1])
        report.funnels[0].steps[0].excluded = 7
        report.funnels[0].steps[1].sums = sums
        var part = try #require(report.funnels[0].breakdown?.first)
        part.steps[1].sums = StepSums(decimals: 2, without: 0, units: [.init(unit: "EUR", sum: -5, count: 1)])
        report.funnels[0].breakdown?[0] = part
        let lines = TableReport.render(report, style: TableStyle(width: 100)).split(separator: "\n").map(String.init)
        func line(_ start: String) -> Int? { lines.firstIndex { $0.hasPrefix(start) } }
        let whole = try #require(line("sum at purchase: 1,234.50 EUR from 120; 3 without a number"))
        #expect(lines[whole - 1] == "after paywall: 7 sessions ended by an exclusion")
        #expect(lines[whole + 1] == "entries until all steps were met: 1: 5, 2: 4, 3: 3, 4: 2, 5+: 1")
        let value = try #require(lines.lastIndex { $0 == "sum at purchase: -0.05 EUR from 1" })
        #expect(value > whole)
    }
}
