import FlowTestSupport
import Foundation
import RDKafka
import Testing

/// What `funnel-report` prints of the examples' store.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct ReportCommandTests {
    private let pipeline: Pipeline

    init() async throws {
        pipeline = try Pipeline()
        let events = try Fixture.text("events.ndjson").split(separator: "\n")
        try await pipeline.publish(events.map { ProducerMessage(value: Array($0.utf8)) })
        let outcome = try await pipeline.count()
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func `JSON, CSV and a table say the same, and nothing stands on standard error`() async throws {
        let json = try await pipeline.report("--format", "json")
        let csv = try await pipeline.report("--format", "csv")
        let table = try await pipeline.report()
        for outcome in [json, csv, table] { #expect(outcome.status == 0 && outcome.errors.isEmpty) }
        let report = try Report(json.output)
        #expect(try report == Report(Fixture.text("report.json")))

        let rows = csv.output.split(separator: "\n").map { $0.components(separatedBy: ",") }
        let header = [
            "funnel", "breakdown", "step", "name", "count", "conversion_from_first", "conversion_from_previous",
            "median_ms_from_first", "median_ms_from_previous",
        ]
        #expect(rows.first == header)
        // Two steps each of three funnels, and of three breakdown values.
        #expect(rows.count == 13)
        #expect(rows.contains(["home-to-paywall", "", "2", "paywall", "24", "0.6667", "0.6667", "400000", "400000"]))
        #expect(rows.contains(["paywall-to-purchase", "home", "1", "paywall", "37", "1.0", "1.0", "", ""]))

        for words in ["home-to-paywall", "36", "24", "66.7", "settings"] {
            #expect(table.output.contains(words), "\(words)")
        }
    }

    @Test func `an event of the year 1 leaves a page its figures, without a trend`() async throws {
        let pipeline = try Pipeline()
        let records = ["0001-01-01T00:00:00Z", "2026-11-20T12:00:00Z"].map { time in
            let event = """
                {"specversion":"1.0","id":"\(time)","source":"app://a","type":"screen_view","time":"\(time)",\
                "data":{"install_id":"i","session_id":"s","screen":"home"}}
                """
            return ProducerMessage(key: Array("i".utf8), value: Array(event.utf8))
        }
        try await pipeline.publish(records)
        try #require(try await pipeline.count().status == 0)
        let page = try await pipeline.report("home-to-paywall", "--format", "html")
        #expect(page.status == 0 && page.output.contains("Of <b>"), "\(page.errors)")
        #expect(!page.output.contains("by when they entered"))
        // Asked for by name, it is a mistake still.
        let trend = try await pipeline.report("home-to-paywall", "--format", "html", "--by", "month")
        #expect(trend.status == 64 && trend.errors.contains("at most 1000"), "\(trend.errors)")
    }

    @Test func `funnels are printed in the order in which they are named`() async throws {
        let outcome = try await pipeline.report("paywall-to-purchase", "home-to-paywall", "--format", "json")
        let report = try Report(outcome.output)
        #expect(report.funnels.map(\.name) == ["paywall-to-purchase", "home-to-paywall"])
        // What the store has taken in does not depend on what was asked for.
        #expect(try report.quality == Report(Fixture.text("report.json")).quality)
    }

    @Test func `days are entry days, both included, and together they make the whole`() async throws {
        let whole = try Report(Fixture.text("report.json")).counts("paywall-to-purchase")
        func counts(_ from: String?, _ to: String?) async throws -> [Int] {
            let range = (from.map { ["--from", $0] } ?? []) + (to.map { ["--to", $0] } ?? [])
            let arguments = ["paywall-to-purchase", "--format", "json"] + range
            let outcome = try await Command("funnel-report", arguments, in: pipeline.directory).end()
            let report = try Report(outcome.output)
            #expect(report.funnels.allSatisfy { $0.from == from && $0.to == to })
            return report.counts("paywall-to-purchase")
        }
        #expect(try await counts("2026-01-01", "2026-12-31") == whole)
        #expect(try await counts(nil, "2026-02-28") == [0, 0])
        let days = (1...31).map { "2026-03-\($0 < 10 ? "0" : "")\($0)" }
        let first = try #require(try await firstDay(days, counts))
        #expect(try await counts(first, nil) == whole)
        #expect(try await counts(nil, first) == counts(first, first))
    }

    private func firstDay(
        _ days: [String],
        _ counts: (String?, String?) async throws -> [Int]
    ) async throws -> String? {
        for day in days where try await counts(day, day) != [0, 0] { return day }
        return nil
    }

    @Test func `the usage shows each form, and a subcommand is told with its full name`() async throws {
        let help = try await pipeline.report("--help")
        #expect(help.status == 0)
        for form in [
            "USAGE: funnel-report [<funnel> ...] [<options>]\n",
            " funnel-report check <funnel> --step <name> [<options>]\n",
            " funnel-report serve [<options>]\n", "  check  ", "  serve  ",
        ] { #expect(help.output.contains(form), "\(form): \(help.output)") }
        expect(try await pipeline.report("check", "--bogus"), 64, saying: "See 'funnel-report check --help'")
        expect(try await pipeline.report("serve", "--bogus"), 64, saying: "See 'funnel-report serve --help'")
        #expect(try await pipeline.report("help", "check").output == pipeline.report("check", "--help").output)
        #expect(try await pipeline.report("help").output == help.output)
    }

    @Test func `a table has no colors where nobody looks`() async throws {
        for environment in [[:], ["NO_COLOR": "1"], ["TERM": "xterm-256color"]] {
            let outcome = try await pipeline.report(environment: environment)
            #expect(outcome.status == 0 && !outcome.output.contains("\u{1B}"))
        }
    }

    #if os(Linux)
    // A terminal of util-linux's `script`, which every Debian and Ubuntu has.
    @Test func `a table on a terminal has colors, unless NO_COLOR is set`() async throws {
        for (environment, hasColor) in [(["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "1"], false)] {
            let report = try Command.built("funnel-report").path
            let outcome = try await Command(
                "/usr/bin/script",
                ["-qec", report, "/dev/null"],
                in: pipeline.directory,
                environment: environment
            ).end()
            #expect(outcome.status == 0 && outcome.output.contains("home-to-paywall"), "\(outcome.output)")
            #expect(outcome.output.contains("\u{1B}[") == hasColor)
        }
    }
    #endif

    @Test func `the store can be named by flag, variable and file`() async throws {
        let path = pipeline.directory.file("mine.sqlite")
        try FileManager.default.moveItem(atPath: pipeline.directory.file("funnels.sqlite"), toPath: path)
        #expect(try await pipeline.report().status == 66)
        #expect(try await pipeline.report("--store", "sqlite:mine.sqlite").status == 0)
        let environment = ["STORE_URL": "sqlite:\(path)"]
        #expect(try await pipeline.report(environment: environment).status == 0)
        #expect(try await pipeline.report("--store", "sqlite:nowhere", environment: environment).status == 66)
        try pipeline.directory.write("store: sqlite:mine.sqlite\n", to: "config/consumer.yaml")
        #expect(try await pipeline.report().status == 0)
    }

    @Test func `an unknown funnel is a matter of usage, and the known ones are named`() async throws {
        let outcome = try await pipeline.report("home-to-paywal")
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("home-to-paywal") && outcome.errors.contains("profile-to-paywall"))
    }

    @Test(arguments: [
        ["--format", "xml"], ["--from", "yesterday"], ["--to", "2026-02-30"], ["--no-such-flag"],
        ["--probe", "home-to-paywall"], ["--from", "2026-03-02", "--to", "2026-03-01"], ["--store", "funnels.sqlite"],
        ["--probe", "--times"], ["--last", "7"], ["--last", "0d"], ["--last", "7d", "--from", "2026-03-01"],
        ["--by", "year"], ["--compare"], ["--compare", "--from", "2026-03-01"],
    ])
    func `wrong flags are a matter of usage`(arguments: [String]) async throws {
        let outcome = try await Command("funnel-report", arguments, in: pipeline.directory).end()
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("Usage: funnel-report"))
    }

    @Test func `a trend, a comparison and times stand in JSON, CSV and the table alike`() async throws {
        let options = ["--from", "2026-03-02", "--to", "2026-03-05", "--by", "day", "--compare", "--times"]
        func output(_ format: String) async throws -> String {
            let arguments = options + ["--format", format]
            let outcome = try await Command("funnel-report", arguments, in: pipeline.directory).end()
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            return outcome.output
        }
        let json = try await output("json")
        let report = try Report(json)
        #expect(json.contains("\"p95\"") && json.contains("\"settled_to\""))
        for funnel in report.funnels {
            let trend = try #require(funnel.trend)
            #expect(trend.map(\.from) == ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"])
            #expect(funnel.comparison == Report.Comparison(from: "2026-02-26", to: "2026-03-01"))
        }
        let rows = try await output("csv").split(separator: "\n")
        #expect(rows[0].hasPrefix("from,to,funnel,"))
        for bucket in try #require(report.funnels[0].trend) {
            let prefix = "\(bucket.from),\(bucket.to),home-to-paywall,,2,paywall,\(bucket.steps[1].count),"
            #expect(rows.contains { $0.hasPrefix(prefix) }, "\(prefix)")
        }
        let table = try await output("table")
        for words in ["2026-03-03", "compared with 2026-02-26 to 2026-03-01", "median"] {
            #expect(table.contains(words), "\(words)")
        }
    }

    @Test func `too many buckets are a matter of usage`() async throws {
        let arguments = ["--from", "2020-01-01", "--to", "2026-12-31", "--by", "day"]
        let outcome = try await Command("funnel-report", arguments, in: pipeline.directory).end()
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("2557 buckets, and at most 1000"))
    }

    @Test func `a check of steps that are not there is a matter of usage`() async throws {
        for arguments in [
            ["check"], ["check", "home-to-paywall"], ["check", "nothing", "--step", "paywall"],
            ["check", "home-to-paywall", "--step", "purchase"], ["check", "home-to-paywall", "--step", "home"],
            ["check", "home-to-paywall", "--step", "paywall", "--min", "2"],
            ["check", "home-to-paywall", "--step", "paywall", "--min", "0.5", "--max", "0.4"],
            ["check", "home-to-paywall", "--step", "paywall", "--max-age", "1m"],
        ] {
            let outcome = try await Command("funnel-report", arguments, in: pipeline.directory).end()
            #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments): \(outcome.output)")
        }
        let store = ["check", "home-to-paywall", "--step", "paywall", "--store", "sqlite:nowhere"]
        #expect(try await Command("funnel-report", store, in: pipeline.directory).end().status == 66)
    }

    @Test func `a check of days of long ago decides nothing unless it is given their greatest age`() async throws {
        func check(_ options: String...) async throws -> Int32 {
            let arguments = ["check", "home-to-paywall", "--step", "paywall"] + options
            return try await Command("funnel-report", arguments, in: pipeline.directory).end().status
        }
        #expect(try await check("--min", "0.1") == 75)
        // Too few people entered on the settled days: a later event settles the others.
        #expect(try await check("--min", "0.1", "--max-age", "9999d") == 75)
        let later = """
            {"specversion":"1.0","id":"later","source":"app://a","type":"other","time":"2026-03-20T00:00:00Z",
            "data":{"install_id":"later"}}
            """
        try await pipeline.publish([ProducerMessage(value: Array(later.utf8))])
        #expect(try await pipeline.count().status == 0)
        let report = try await pipeline.report("--format", "json").output
        let (low, high) = (
            try await check("--min", "0.1", "--max-age", "9999d"), try await check("--min", "0.9", "--max-age", "9999d")
        )
        #expect(low == 0, "\(report)")
        #expect(high == 1)
    }
}
