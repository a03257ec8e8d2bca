import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import Foundation
import FunnelFile
import FunnelReports
import FunnelTestSupport
import Funnels
import RDKafka
import FunnelPostgresTestSupport
import Testing

/// Tests the built `funnel-consumer rebuild`, with SQLite and with PostgreSQL.
@Suite(.waits, .timeLimit(.minutes(10))) struct RebuildCommandTests {
    enum Store: String, CaseIterable, Sendable {
        case sqlite
        case postgres

        // Where PostgreSQL is not installed, PostgresCommandTests say so.
        static let available = allCases.filter { $0 == .sqlite || PostgresServer.isAvailable }
    }

    private static let partitions = 3

    /// A pipeline with the old funnels, the environment of its store, and the records to publish.
    private struct Stage {
        let pipeline: Pipeline
        let environment: [String: String]
        let records: [FunnelOracle.Record]

        init(_ store: Store, seed: UInt64, count: Int = 600) throws {
            pipeline = try Pipeline(partitions: RebuildCommandTests.partitions)
            // A lateness below the three days that the events span, so that some are late.
            try pipeline.writeFastSettings("allowed_lateness: 2d")
            switch store {
            case .sqlite:
                environment = [:]
            case .postgres:
                let server = try PostgresServer.shared()
                environment = ["STORE_URL": server.url(schema: try server.makeSchema())]
            }
            var random = RandomFunnels(seed: seed)
            var events = random.events(count: count, installs: count / 15)
            events += events.prefix(count / 4)
            events.shuffle(using: &random.generator)
            records = events.map { event in
                FunnelOracle.Record(event, partition: random.generator.pick([0, 1, 2]))
            }
            try write(RebuildCommandTests.oldFile)
        }

        func write(_ file: String) throws {
            try pipeline.directory.write(file, to: "config/funnels.yaml")
        }

        func publish(_ records: some Collection<FunnelOracle.Record>) async throws {
            try await pipeline.publish(
                records.map { record in
                    ProducerMessage(
                        key: Array(record.event.installID.utf8),
                        value: try record.event.encoded(),
                        timestamp: record.event.time.milliseconds,
                        partition: record.partition
                    )
                }
            )
        }

        func consumer(_ arguments: String...) throws -> Command {
            try Command(
                "funnel-consumer",
                arguments,
                in: pipeline.directory,
                environment: pipeline.environment.merging(environment) { $1 }
            )
        }

        /// The expected report as JSON: the oracle's result for the funnels file.
        func expected(_ file: String) throws -> String {
            let funnels = try FunnelsFile.parse(Array(file.utf8), file: "funnels.yaml")
            let oracle = FunnelOracle(funnels: funnels, records: records, allowedLateness: 2 * 86_400_000)
            return ReportText.withoutStates(JSONReport.render(oracle.report()))
        }

        /// The store's report as JSON; `nil` if there is no store yet.
        func report() async throws -> String? {
            let outcome = try await pipeline.report("--format", "json", environment: environment)
            return outcome.status == 0 ? ReportText.withoutStates(outcome.output) : nil
        }

        func untilReported(_ what: String, _ condition: (String) throws -> Bool) async throws {
            try await until("the report has \(what)") { try await report().map(condition) ?? false }
        }

        func eventCount(_ report: String) throws -> Int { try Report(report).quality.events }
    }

    @Test(arguments: Store.available)
    func `the consumer refuses a changed file with the command to type, and typing it is enough`(store: Store)
        async throws
    {
        let stage = try Stage(store, seed: 41)
        try await stage.publish(stage.records)
        #expect(try await stage.consumer("--exit-at-end").end().status == 0)
        #expect(try await stage.report() == stage.expected(Self.oldFile))
        try stage.write(Self.newFile)
        expect(
            try await stage.consumer("--exit-at-end").end(),
            65,
            saying: "changed: home-to-paywall (window 1d, now 1h)",
            "added: settings (sessions within 2d, broken down by",
            "removed: profile (",
            "`funnel-consumer rebuild home-to-paywall settings profile`"
        )
        #expect(try await stage.report() == stage.expected(Self.oldFile))
        let outcome = try await stage.consumer("rebuild", "home-to-paywall", "settings", "profile").end()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("rebuilt home-to-paywall, complete\n"))
        #expect(outcome.output.contains("removed profile\n"))
        // No terminal: plain lines.
        #expect(outcome.errors.contains("   100%\n") && !outcome.errors.contains("\r"))
        #expect(try await stage.report() == stage.expected(Self.newFile))
        #expect(try await stage.consumer("--exit-at-end").end().status == 0)
        #expect(try await stage.report() == stage.expected(Self.newFile))
        let again = try await stage.consumer("rebuild").end()
        #expect(again.status == 0 && again.output.contains("nothing to rebuild"))
        expect(try await stage.consumer("rebuild", "nobody").end(), 64, saying: "there is no funnel 'nobody'")
    }

    @Test(arguments: zip(Store.available, [51, 52] as [UInt64]))
    func `funnels change beside running consumers while events come in`(store: Store, seed: UInt64) async throws {
        let stage = try Stage(store, seed: seed)
        let half = stage.records.count / 2
        try await stage.publish(stage.records[..<half])
        let consumers = try (0..<(store == .sqlite ? 1 : 3)).map { _ in try stage.consumer() }
        try await stage.untilReported("the first half") { try stage.eventCount($0) == half }
        try stage.write(Self.newFile)
        // Events arrive before, during and after the rebuild.
        async let more: Void = {
            for start in stride(from: half, to: stage.records.count, by: 10) {
                try await stage.publish(stage.records[start..<min(start + 10, stage.records.count)])
            }
        }()
        let outcome = try await stage.consumer("rebuild").end()
        #expect(outcome.status == 0, "\(outcome.errors)")
        try await more
        try await stage.untilReported("all events") { try stage.eventCount($0) == stage.records.count }
        for consumer in consumers {
            #expect(consumer.isRunning, "\(consumer.errors)")
            consumer.send(SIGTERM)
            let end = try await consumer.end()
            #expect(end.status == 0, "\(end.errors)")
        }
        #expect(try await stage.report() == stage.expected(Self.newFile), "seed \(seed)")
    }

    @Test(arguments: Store.available)
    func `a running consumer with the old file stops with what to do, and loses nothing`(store: Store) async throws {
        let stage = try Stage(store, seed: 61)
        let half = stage.records.count / 2
        try await stage.publish(stage.records[..<half])
        try stage.pipeline.directory.write(Self.oldFile, to: "old.yaml")
        let consumer = try stage.consumer("--funnels", "old.yaml")
        try await stage.untilReported("the first half") { try stage.eventCount($0) == half }
        try stage.write(Self.newFile)
        let outcome = try await stage.consumer("rebuild").end()
        #expect(outcome.status == 0, "\(outcome.errors)")
        try await stage.publish(stage.records[half...])
        expect(
            try await consumer.end(),
            65,
            saying: "a rebuild has changed the funnels of the store",
            "with the funnels file of the rebuild"
        )
        #expect(try await stage.consumer("--exit-at-end").end().status == 0)
        #expect(try await stage.report() == stage.expected(Self.newFile))
    }

    @Test(arguments: Store.available, [20_261_121] as [UInt64])
    func `a rebuild that is killed leaves the store as it was, and can be done again`(store: Store, seed: UInt64)
        async throws
    {
        let stage = try Stage(store, seed: seed, count: 2000)
        try await stage.publish(stage.records)
        #expect(try await stage.consumer("--exit-at-end").end().status == 0)
        var generator = SeededGenerator(seed: seed)
        let files = [Self.oldFile, Self.newFile]
        let reports = try files.map { try stage.expected($0) }
        var (current, kills, runs, longestDelay) = (0, 0, 0, 1500.0)
        while kills < 10 {
            runs += 1
            try #require(runs <= 100, "seed \(seed): only \(kills) of \(runs) runs were killed")
            try stage.write(files[1 - current])
            let rebuild = try stage.consumer("rebuild")
            // The test kills at a random time, so it waits for no condition.
            try await Task.sleep(for: .milliseconds(Int(generator.next() % UInt64(longestDelay))))
            rebuild.send(SIGKILL)
            let outcome = try await rebuild.end()
            if outcome.isKilled { kills += 1 } else { #expect(outcome.status == 0, "\(outcome.errors)") }
            longestDelay = outcome.isKilled ? min(3000, longestDelay * 1.3) : max(50, longestDelay * 0.7)
            let report = try await stage.report()
            // The rebuild may have been killed right after its transaction, but never has a part of it happened.
            let place = try #require(reports.firstIndex { $0 == report }, "seed \(seed): neither old nor new")
            if !outcome.isKilled { #expect(place == 1 - current, "seed \(seed)") }
            current = place
        }
        try stage.write(files[1 - current])
        #expect(try await stage.consumer("rebuild").end().status == 0)
        #expect(try await stage.consumer("--exit-at-end").end().status == 0)
        #expect(try await stage.report() == reports[1 - current], "seed \(seed)")
    }

    @Test func `a store that is not there, and brokers that are not, are named`() async throws {
        let stage = try Stage(.sqlite, seed: 71)
        expect(try await stage.consumer("rebuild").end(), 66, saying: "start funnel-consumer first")
        #expect(try await stage.consumer("--exit-at-end").end().status == 0)
        // No broker listens on port 1.
        let outcome = try await stage.consumer("rebuild", "profile", "--bootstrap-servers", "127.0.0.1:1").end()
        #expect(outcome.status == 69 && outcome.errors.contains("127.0.0.1:1"), "\(outcome.errors)")
    }

    private static let oldFile = """
        funnels:
          - name: profile
            window: 1h
            steps:
              - {name: profile, event: screen_view, where: {screen: profile}}
              - {name: purchase, event: purchase}
          - name: home-to-paywall
            window: 1d
            steps:
              - {name: home, event: screen_view, where: {screen: home}}
              - {name: paywall, event: screen_view, where: {screen: paywall}}
          - name: paywall-to-purchase
            count: sessions
            window: 2d
            breakdown: paywall_source
            steps:
              - {name: paywall, event: screen_view, where: {screen: paywall}}
              - {name: purchase, event: purchase}
        """

    // One is changed, one added at the front, one removed, one moved.
    private static let newFile = """
        funnels:
          - name: settings
            count: sessions
            window: 2d
            breakdown: properties.n
            steps:
              - {name: settings, event: screen_view, where: {screen: settings}}
              - {name: home, event: screen_view, where: {screen: [home, profile]}}
          - name: paywall-to-purchase
            count: sessions
            window: 2d
            breakdown: paywall_source
            steps:
              - {name: paywall, event: screen_view, where: {screen: paywall}}
              - {name: purchase, event: purchase}
          - name: home-to-paywall
            window: 1h
            steps:
              - {name: home, event: screen_view, where: {screen: home}}
              - {name: paywall, event: screen_view, where: {screen: paywall}}
        """
}
