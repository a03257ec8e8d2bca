import FlowEventTestSupport
import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import FunnelTestSupport
import Testing

/// Tests the built `funnel-report preview` over topics and files.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(10)),
    .enabled(if: Kcat.path != nil || !Kcat.mayBeMissing, "kcat is not installed: run scripts/bootstrap --tests")
)
struct PreviewCommandTests {
    private func preview(
        _ arguments: String...,
        in pipeline: Pipeline,
        input: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> Command.Outcome {
        let command = try Command(
            "funnel-report",
            ["preview"] + arguments,
            in: pipeline.directory,
            environment: pipeline.environment.merging(environment) { $1 },
            hasInput: input != nil
        )
        if let input { try command.write(input) }
        return try await command.end()
    }

    /// The files of the pipeline's folder for temporary files.
    private func leftOvers(_ pipeline: Pipeline) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: pipeline.directory.path).filter { $0.contains("scratch") }
    }

    @Test(arguments: [Fixture.examples, .definitions, .questions])
    func `a preview of a topic prints what the store's report prints, and leaves nothing behind`(
        fixture: Fixture
    ) async throws {
        let pipeline = try Pipeline(partitions: 3)
        try pipeline.directory.write(Fixture.text("funnels.yaml", of: fixture), to: "config/funnels.yaml")
        var generator = SeededGenerator(seed: 41)
        let lines = try Fixture.keyedEvents(of: fixture)
        try await Kcat.publish((lines + lines.prefix(100)).shuffled(using: &generator) + ["k\tno event"], to: pipeline)
        let options = ["--format", "json", "--times", "--by", "day", "--scratch-directory", pipeline.directory.path]
        let found = try await Command(
            "funnel-report",
            ["preview"] + options,
            in: pipeline.directory,
            environment: pipeline.environment
        ).end()
        #expect(found.status == 0 && found.errors.isEmpty, "\(found.errors)")
        #expect(try leftOvers(pipeline) == [])
        // It has sent no dead letter, and no group is left.
        #expect(try await pipeline.deadLetters().isEmpty)
        #expect(try await pipeline.count().status == 0)
        let stored = try await pipeline.report("--format", "json", "--times", "--by", "day")
        #expect(found.output == stored.output)
        let page = try await preview("--format", "html", in: pipeline)
        #expect(try await pipeline.report("--format", "html").output == page.output)
    }

    @Test(arguments: [Fixture.examples, .definitions, .questions])
    func `files in any order of their lines give the contract's report`(fixture: Fixture) async throws {
        let pipeline = try Pipeline()
        try pipeline.directory.write(Fixture.text("funnels.yaml", of: fixture), to: "draft.yaml")
        var generator = SeededGenerator(seed: 42)
        let lines = try Fixture.text("events.ndjson", of: fixture).split(separator: "\n").map(String.init)
            .shuffled(using: &generator)
        let half = lines.count / 2
        try pipeline.directory.write(lines[..<half].joined(separator: "\n"), to: "first.ndjson")
        let command = try Command(
            "funnel-report",
            // The report of the first examples has neither times nor days.
            ["preview", "--funnels", "draft.yaml", "--format", "json", "--events", "first.ndjson", "-"]
                + (fixture == .examples ? [] : ["--times", "--by", "day"]),
            in: pipeline.directory,
            hasInput: true
        )
        try command.write(lines[half...].joined(separator: "\n"))
        let outcome = try await command.end()
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let expected = try JSONValue(parsing: Fixture.text("report.json", of: fixture))
        #expect(try JSONValue(parsing: outcome.output)["funnels"]?.compared == expected["funnels"]?.compared)
    }

    @Test func `a line that is no event counts as a dead letter and is named with its number`() async throws {
        let pipeline = try Pipeline()
        let event = try Fixture.text("events.ndjson").split(separator: "\n")[0]
        try pipeline.directory.write("\(event)\n\nno event\n\(event)\n{}\n", to: "events.ndjson")
        let outcome = try await preview("--events", "events.ndjson", "--format", "json", in: pipeline)
        #expect(outcome.status == 0)
        let report = try Report(outcome.output)
        #expect(report.quality == Report.Quality(events: 2, duplicates: 1, late: 0, dead_letters: 2))
        #expect(
            outcome.errors.split(separator: "\n").map { $0.prefix(25) } == [
                "events.ndjson:3: not_json", "events.ndjson:5: not_clou",
            ],
            "\(outcome.errors)"
        )
        try pipeline.directory.write(String(repeating: "x\n", count: 30), to: "bad.ndjson")
        let bad = try await preview("--events", "bad.ndjson", in: pipeline)
        #expect(bad.status == 0)
        #expect(
            bad.errors.hasSuffix("and 20 more lines that are no events; all count as dead letters\n"),
            "\(bad.errors)"
        )
    }

    @Test func `steps before and after are printed against a store, and a change can fail`() async throws {
        let pipeline = try Pipeline()
        let lines = try Fixture.keyedEvents()
        try await Kcat.publish(lines, to: pipeline)
        _ = try await pipeline.count()
        let store = "sqlite:" + pipeline.directory.file("funnels.sqlite")
        let same = try await preview("--against", store, "--fail-on-change", in: pipeline)
        #expect(same.status == 0, "\(same.errors)")
        #expect(same.output.hasSuffix("no figure changes\n"))

        let file = try Fixture.text("funnels.yaml").replacing("window: 30m", with: "window: 1m", maxReplacements: 1)
        try pipeline.directory.write(file, to: "draft.yaml")
        let changed = try await preview(
            "home-to-paywall",
            "--funnels",
            "draft.yaml",
            "--against",
            store,
            "--fail-on-change",
            "--format",
            "json",
            in: pipeline
        )
        #expect(changed.status == 1 && !changed.isKilled, "\(changed.errors)")
        let review = try JSONDecoder().decode(Review.self, from: Data(changed.output.utf8))
        let expected = try Report(Fixture.text("report.json"))
        let steps = review.funnels[0].steps
        #expect(review.funnels.map(\.name) == ["home-to-paywall"] && review.funnels[0].changed)
        #expect(steps.map(\.before) == expected.counts("home-to-paywall"))
        #expect(steps[1].after < steps[1].before && steps[1].difference == steps[1].after - steps[1].before)
        #expect(review.events.before == lines.count && review.events.after == lines.count)

        for format in ["table", "csv", "html"] {
            let text = try await preview(
                "--funnels",
                "draft.yaml",
                "--against",
                store,
                "--format",
                format,
                in: pipeline
            )
            #expect(text.status == 0 && text.output.contains("home-to-paywall"), "\(text.errors)")
        }
    }

    @Test func `the store's days are compared where a preview has none of those asked for`() async throws {
        let pipeline = try Pipeline()
        try await Kcat.publish(Fixture.keyedEvents(), to: pipeline)
        _ = try await pipeline.count()
        // Nobody enters this funnel, and a file without events has no settled day.
        let nobody = try Fixture.text("funnels.yaml")
            .replacing("where: {screen: home}", with: "where: {screen: nowhere}")
        try pipeline.directory.write(nobody, to: "nobody.yaml")
        try pipeline.directory.write("", to: "empty.ndjson")
        let store = "sqlite:" + pipeline.directory.file("funnels.sqlite")
        let all = try Report(Fixture.text("report.json")).counts("home-to-paywall")
        for (input, days) in [
            (["--funnels", "nobody.yaml"], ["--last", "1d"]), (["--events", "empty.ndjson"], ["--settled"]),
        ] {
            func output(_ arguments: [String]) async throws -> String {
                let outcome = try await Command(
                    "funnel-report",
                    arguments + days + ["--format", "json"],
                    in: pipeline.directory,
                    environment: pipeline.environment
                ).end()
                #expect(outcome.status == 0, "\(outcome.errors)")
                return outcome.output
            }
            let expected = try await Report(output(["home-to-paywall", "--store", store])).counts("home-to-paywall")
            #expect(expected != all)
            let review = try await output(["preview", "home-to-paywall"] + input + ["--against", store])
            let steps = try JSONDecoder().decode(Review.self, from: Data(review.utf8)).funnels[0].steps
            #expect(steps.map(\.before) == expected, "\(input)")
            #expect(steps.map(\.after) == [0, 0], "\(input)")
        }
    }

    private struct Review: Decodable {
        struct Funnel: Decodable {
            struct Step: Decodable {
                let before: Int
                let after: Int
                let difference: Int
            }

            let name: String
            let changed: Bool
            let steps: [Step]
        }

        struct Events: Decodable {
            let before: Int
            let after: Int
        }

        let funnels: [Funnel]
        let events: Events
    }

    @Test func `what is missing or wrong gives its exit code and names the way out`() async throws {
        let pipeline = try Pipeline()
        let cases: [(arguments: [String], status: Int32, text: String)] = [
            (["--events", "none.ndjson"], 66, "none.ndjson cannot be opened: No such file or directory"),
            (["--topic", "no-such-topic"], 66, "the topic no-such-topic does not exist"),
            (["nope", "--events", "-"], 64, "nope"),
            (["--funnels", "none.yaml", "--events", "-"], 78, "none.yaml"),
            (["--bootstrap-servers", "127.0.0.1:1"], 69, "127.0.0.1:1"),
            (["--events", "-", "--against", "sqlite:none.sqlite"], 66, "none.sqlite"),
            (["--fail-on-change", "--events", "-"], 64, "--against"),
            (["--events", "-", "--topic", "x"], 64, "leave out"),
        ]
        for (arguments, status, text) in cases {
            let outcome = try await Command(
                "funnel-report",
                ["preview"] + arguments,
                in: pipeline.directory,
                environment: pipeline.environment
            ).end()
            #expect(outcome.status == status && outcome.errors.contains(text), "\(arguments): \(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
    }

    @Test func `the temporary store goes with a signal, and after a crash with the next start`() async throws {
        let pipeline = try Pipeline()
        func begin() async throws -> Command {
            let command = try Command(
                "funnel-report",
                ["preview", "--events", "-", "--scratch-directory", pipeline.directory.path],
                in: pipeline.directory,
                hasInput: true
            )
            try await until("the temporary store is there") {
                try #require(command.isRunning, "it has ended: \(command.output)\(command.errors)")
                return try !leftOvers(pipeline).isEmpty
            }
            return command
        }
        // Several times, because a signal that comes at a bad moment must not be lost either.
        for signal in [SIGINT, SIGTERM, SIGINT, SIGTERM, SIGINT, SIGTERM] {
            let command = try await begin()
            // Until the files are complete, a signal is held back.
            command.send(signal)
            let outcome = try await command.end()
            #expect(outcome.isKilled && outcome.status == signal)
            #expect(try leftOvers(pipeline) == [])
        }
        let crashed = try await begin()
        crashed.send(SIGKILL)
        _ = try await crashed.end()
        #expect(try !leftOvers(pipeline).isEmpty)
        try pipeline.directory.write("", to: "empty.ndjson")
        let next = try await preview(
            "--events",
            "empty.ndjson",
            "--scratch-directory",
            pipeline.directory.path,
            in: pipeline
        )
        #expect(next.status == 0, "\(next.errors)")
        #expect(try leftOvers(pipeline) == [])
    }
}
