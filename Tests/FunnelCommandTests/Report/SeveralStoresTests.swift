import FlowEventTestSupport
import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import KafkaTestSupport
import RDKafka
import Testing

/// Tests reports over several stores: a topic and a store for each region.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(10)),
    .enabled(if: Kcat.path != nil || !Kcat.mayBeMissing, "kcat is not installed: run scripts/bootstrap --tests")
)
struct SeveralStoresTests {
    private static let topics = ["eu", "us", "asia"]

    /// Counts the events of a fixture, each install in one of several stores, the last of them on PostgreSQL where that is
    /// installed.
    ///
    /// - Returns: the stores' URLs.
    private func count(_ fixture: Fixture, _ pipeline: Pipeline, stores count: Int, seed: UInt64) async throws
        -> [String]
    {
        try pipeline.directory.write(Fixture.text("funnels.yaml", of: fixture), to: "config/funnels.yaml")
        var generator = SeededGenerator(seed: seed)
        var places: [Substring: Int] = [:]
        var lines = [[String]](repeating: [], count: count)
        for line in try Fixture.keyedEvents(of: fixture).shuffled(using: &generator) {
            let install = line.prefix { $0 != "\t" }
            let place = places[install] ?? Int(generator.next() % UInt64(count))
            places[install] = place
            lines[place].append(line)
        }
        var urls: [String] = []
        for place in 0..<count {
            let topic = Self.topics[place]
            try pipeline.broker.createTopic(topic, partitions: 2)
            try await Kcat.publish(lines[place], to: pipeline, topic: topic)
            var url = "sqlite:\(pipeline.directory.file("\(topic).sqlite"))"
            if place == count - 1, PostgresServer.isAvailable {
                let server = try PostgresServer.shared()
                url = server.url(schema: try server.makeSchema())
            }
            let outcome = try await pipeline.count("--topic", topic, "--store", url)
            #expect(outcome.status == 0, "\(outcome.errors)")
            urls.append(url)
        }
        return urls
    }

    private func run(_ arguments: [String], _ pipeline: Pipeline) async throws -> Command.Outcome {
        try await Command("funnel-report", arguments, in: pipeline.directory).end()
    }

    @Test(arguments: [(.examples, 2, 51), (.definitions, 3, 52), (.questions, 2, 53)] as [(Fixture, Int, UInt64)])
    func `installs split over stores give the contract's report`(fixture: Fixture, stores: Int, seed: UInt64)
        async throws
    {
        let pipeline = try Pipeline()
        let urls = try await count(fixture, pipeline, stores: stores, seed: seed)
        let options = urls.flatMap { ["--store", $0] }
        let more = fixture == .examples ? [] : ["--times", "--by", "day"]
        let outcome = try await run(options + ["--format", "json"] + more, pipeline)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let expected = try JSONValue(parsing: Fixture.text("report.json", of: fixture))
        let found = try JSONValue(parsing: outcome.output)
        #expect(found["funnels"]?.compared == expected["funnels"]?.compared)
        // Named by the configuration, they are the same.
        let list = urls.map { "\"\($0)\"" }.joined(separator: ", ")
        try pipeline.directory.write("stores: [\(list)]\n", to: "config/consumer.yaml")
        #expect(try await run(["--format", "json"] + more, pipeline).output == outcome.output)

        guard fixture == .examples else { return }
        let report = try Report(outcome.output)
        let rows = try await run(options + ["--format", "csv"], pipeline).output
        #expect(rows.contains("home-to-paywall"))
        let actors = try await run(
            ["actors", "home-to-paywall", "--step", "paywall", "--reached"] + options,
            pipeline
        )
        let installs = actors.output.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
        #expect(installs.count == report.counts("home-to-paywall")[1] && installs == installs.sorted())
        let check = try await run(
            ["check", "home-to-paywall", "--step", "paywall", "--max-age", "9999w", "--min", "0.1"] + options,
            pipeline
        )
        #expect(check.status == 0 || check.status == 75, "\(check.errors)")
    }

    @Test func `stores that do not add up are refused with the difference and the way out`() async throws {
        let pipeline = try Pipeline()
        let urls = try await count(.examples, pipeline, stores: 2, seed: 54)
        let twice = try await run(["--store", urls[0], "--store", urls[0]], pipeline)
        #expect(twice.status == 64 && twice.errors.contains("is given twice"), "\(twice.errors)")

        let other = "sqlite:\(pipeline.directory.file("other.sqlite"))"
        #expect(try await pipeline.count("--topic", "eu", "--store", other).status == 0)
        let same = try await run(["--store", urls[0], "--store", other], pipeline)
        #expect(same.status == 65 && same.errors.contains("both count the topic 'eu'"), "\(same.errors)")

        let file = try Fixture.text("funnels.yaml").replacing("window: 30m", with: "window: 1m", maxReplacements: 1)
        try pipeline.directory.write(file, to: "config/funnels.yaml")
        let changed = "sqlite:\(pipeline.directory.file("changed.sqlite"))"
        #expect(try await pipeline.count("--topic", "us", "--store", changed).status == 0)
        let different = try await run(["--store", urls[0], "--store", changed], pipeline)
        #expect(
            different.status == 65 && different.errors.contains("changed: home-to-paywall")
                && different.errors.contains("Rebuild one of them"),
            "\(different.errors)"
        )
    }

    @Test func `the pages and the JSON of serve add up the stores`() async throws {
        let pipeline = try Pipeline()
        let urls = try await count(.examples, pipeline, stores: 2, seed: 55)
        let command = try Command(
            "funnel-report",
            ["serve", "--listen", "127.0.0.1:0"] + urls.flatMap { ["--store", $0] },
            in: pipeline.directory
        )
        try await command.says("listening on ")
        let match = try #require(command.errors.firstMatch(of: /listening on (\S+)\n/))
        let client = CollectorClient(address: try #require(URL(string: "\(match.1)")))
        let answer = try await client.get("api/v1/funnels")
        let expected = try Report(Fixture.text("report.json"))
        #expect(answer.status == 200)
        #expect(try Report(answer.body).counts("home-to-paywall") == expected.counts("home-to-paywall"))
        command.send(SIGTERM)
        #expect(try await command.end().status == 0)
    }
}
