import FlowTestSupport
import Foundation
import Testing

/// Public bug reports about the figures of other products, tried on the built `funnel-report preview`. The article *How it is
/// tested* lists them.
@Suite(.waits, .timeLimit(.minutes(10))) struct PublicFunnelReportTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func event(
        _ id: String,
        _ type: String,
        install: String = "i1",
        at time: String,
        data: String = ""
    ) -> String {
        """
        {"specversion":"1.0","id":"\(id)","source":"app://com.example.shop","type":"\(type)","time":"\(time)",\
        "data":{"install_id":"\(install)"\(data)}}
        """
    }

    private func preview(_ funnels: String, _ events: [String], _ options: String...) async throws -> String {
        try directory.write(funnels, to: "funnels.yaml")
        try directory.write(events.joined(separator: "\n"), to: "events.ndjson")
        let outcome = try await Command(
            "funnel-report",
            ["preview", "--funnels", "funnels.yaml", "--events", "events.ndjson"] + options,
            in: directory
        ).end()
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    private func counts(_ funnels: String, _ events: [String], _ options: String...) async throws -> [Int] {
        let report = try Report(try await preview(funnels, events, "--format", "json"))
        return try #require(report.funnels.first).steps.map(\.count)
    }

    @Test(.bug("https://github.com/TelemetryDeck/Issues/issues/509"), arguments: ["json", "csv", "table", "html"])
    func `twelve steps stand in their order in every format`(format: String) async throws {
        let names = (1...12).map { "step\($0)" }
        let steps = names.map { "    - {name: \($0), event: \($0)}" }.joined(separator: "\n")
        let events = names.enumerated().map { index, name in
            event("\(index)", name, at: String(format: "2026-11-20T10:00:%02dZ", index))
        }
        let text = try await preview(
            "funnels:\n- name: long\n  window: 1h\n  steps:\n\(steps)\n",
            events,
            "--format",
            format
        )
        // Each name first stands behind the one before it: "step1" is also the beginning of "step10".
        var position = text.startIndex
        for name in names {
            let pattern = try Regex("\(name)(?![0-9])")
            let found = try #require(text[position...].firstRange(of: pattern), "\(name)")
            position = found.upperBound
        }
    }

    @Test(.bug("https://github.com/TelemetryDeck/Issues/issues/420"))
    func `two steps of one event need two of them`() async throws {
        let funnels = """
            funnels:
            - name: twice
              window: 1h
              steps: [{name: first, event: open}, {name: again, event: open}]
            """
        let once = event("1", "open", at: "2026-11-20T10:00:00Z")
        #expect(try await counts(funnels, [once]) == [1, 0])
        #expect(try await counts(funnels, [once, once]) == [1, 0])
        let later = event("2", "open", at: "2026-11-20T10:10:00Z")
        #expect(try await counts(funnels, [later, once]) == [1, 1])
        let tooLate = event("2", "open", at: "2026-11-20T11:00:01Z")
        #expect(try await counts(funnels, [once, tooLate]) == [1, 0])
    }

    @Test(.bug("https://github.com/Countly/countly-server/issues/169"))
    func `a session that begins twice in a millisecond counts once, and midnight belongs to the next day`() async throws
    {
        let funnels = """
            timezone: Europe/Berlin
            funnels:
            - name: return
              window: 2d
              steps: [{name: start, event: begin_session}, {name: back, event: open}]
            """
        let events = [
            event("1", "begin_session", at: "2026-11-20T09:00:00.000Z"),
            event("2", "begin_session", at: "2026-11-20T09:00:00.000Z"),
            // 23:59:59.999 and 00:00 in Berlin.
            event("3", "begin_session", install: "i2", at: "2026-11-20T22:59:59.999Z"),
            event("4", "begin_session", install: "i3", at: "2026-11-20T23:00:00.000Z"),
            event("5", "open", install: "i3", at: "2026-11-20T23:00:00.001Z"),
        ]
        #expect(try await counts(funnels, events) == [3, 1])
        let report = try Report(try await preview(funnels, events, "--by", "day", "--format", "json"))
        let days = try #require(report.funnels.first?.trend)
        #expect(days.map(\.from) == ["2026-11-20", "2026-11-21"])
        #expect(days.map { $0.steps.map(\.count) } == [[2, 0], [1, 1]])
    }

    @Test(.bug("https://github.com/umami-software/umami/issues/4541"))
    func `days of a zone with half an hour begin at its midnight`() async throws {
        let funnels = """
            timezone: Asia/Tehran
            funnels:
            - name: visits
              window: 1h
              steps: [{name: open, event: open}]
            """
        let events = [
            event("1", "open", install: "i1", at: "2026-09-19T20:29:59.999Z"),
            event("2", "open", install: "i2", at: "2026-09-19T20:30:00.000Z"),
            event("3", "open", install: "i3", at: "2026-09-20T20:29:59+00:00"),
        ]
        let report = try Report(try await preview(funnels, events, "--by", "day", "--format", "json"))
        let days = try #require(report.funnels.first?.trend)
        #expect(days.map(\.from) == ["2026-09-19", "2026-09-20"])
        #expect(days.map { $0.steps.map(\.count) } == [[1], [2]])
    }

    @Test(.bug("https://github.com/plausible/analytics/issues/1188"))
    func `a breakdown by more fields multiplies no count`() async throws {
        func funnels(_ breakdown: String) -> String {
            """
            funnels:
            - name: goal
              window: 1h
              breakdown: \(breakdown)
              steps: [{name: open, event: open}, {name: goal, event: goal}]
            """
        }
        let events = (0..<40).flatMap { number in
            let properties = #", "properties": {"country": "c\#(number % 3)", "plan": "p\#(number % 2)"}"#
            let opened = event(
                "o\(number)",
                "open",
                install: "i\(number)",
                at: "2026-11-20T10:00:00Z",
                data: properties
            )
            // Each reaches the goal several times, with other properties.
            let goals = (0..<(number % 4)).map { goal in
                let other = #", "properties": {"country": "c\#(goal)", "plan": "p\#(goal)"}"#
                return event(
                    "g\(number)-\(goal)",
                    "goal",
                    install: "i\(number)",
                    at: "2026-11-20T10:00:0\(goal + 1)Z",
                    data: other
                )
            }
            return [opened] + goals
        }
        for breakdown in ["properties.country", "[properties.country, properties.plan]"] {
            let csv = try await preview(funnels(breakdown), events, "--format", "csv")
            var counts = ["open": [Int](), "goal": [Int]()]
            for line in csv.split(whereSeparator: \.isNewline).dropFirst() {
                // The last columns are the name, the count and four others; a value of a breakdown can have commas.
                let cells = line.split(separator: ",", omittingEmptySubsequences: false).suffix(6).map(String.init)
                counts[cells[0]]?.append(try #require(Int(cells[1])))
            }
            let (opened, reached) = try (#require(counts["open"]), #require(counts["goal"]))
            // The first row of a step is the whole.
            #expect(opened.first == 40 && opened.dropFirst().reduce(0, +) == 40)
            #expect(reached.first == 30 && reached.dropFirst().reduce(0, +) == 30)
        }
    }
}
