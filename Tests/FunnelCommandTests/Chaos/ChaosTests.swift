import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import KafkaTestSupport
import Testing

/// Everything at once, for half a minute; `scripts/chaos` does it for as long as anybody likes.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(10)),
    .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed: run scripts/bootstrap --tests")
)
struct ChaosTests {
    private static func run(_ arguments: [String]) async throws -> Command.Outcome {
        try await Command("funnel-chaos", arguments, in: TemporaryDirectory()).end(within: .seconds(400))
    }

    /// Runs with one seed, or with the next ones where librdkafka's mock cluster, which is in the same process, ends it by
    /// an assertion of its own (of version 2.0: a member must not join again before its first join is answered). Nothing
    /// is found out by such a run, neither good nor bad.
    private static func run(seed: Int, _ arguments: String...) async throws -> Command.Outcome {
        for seed in seed..<(seed + 3) {
            let outcome = try await run(["--seed", "\(seed)"] + arguments)
            if !outcome.errors.contains("rdkafka_mock") || outcome.status != SIGABRT { return outcome }
        }
        return try await run(["--seed", "\(seed + 3)"] + arguments)
    }

    // A line of the table is a number, two spaces and what was counted.
    private static func count(_ name: String, in table: String) -> Int? {
        let line = table.split(separator: "\n").first { $0.hasSuffix("  \(name)") }
        return line?.split(separator: " ").first.flatMap { Int($0) }
    }

    @Test func `three consumers on PostgreSQL have every figure right after everything that can go wrong`() async throws
    {
        let outcome = try await Self.run(seed: 20_261_121, "--duration", "30", "--rate", "200")
        #expect(outcome.status == 0 && !outcome.isKilled, "\(outcome.errors)\(outcome.output)")
        #expect(outcome.errors.contains("seed 202611"))
        #expect(Self.count("differences", in: outcome.output) == 0)
        for name in [
            "events in the topic", "duplicates among them", "late among them", "dead letters", "consumers killed",
            "consumers stopped for longer than their session", "brokers cut or crashed", "PostgreSQL crashes",
            "figures compared",
        ] {
            #expect((Self.count(name, in: outcome.output) ?? 0) > 0, "\(name): \(outcome.output)")
        }
    }

    @Test(.enabled(if: librdkafkaVersion >= 0x0206_0000, "the consumer refuses it with librdkafka before 2.6"))
    func `consumers that give back only the partitions that move have every figure right`() async throws {
        let strategy = "partition.assignment.strategy=cooperative-sticky"
        let outcome = try await Self.run(seed: 31, "--duration", "15", "--rate", "200", "--kafka", strategy)
        #expect(outcome.status == 0 && !outcome.isKilled, "\(outcome.errors)\(outcome.output)")
        #expect(Self.count("differences", in: outcome.output) == 0)
        #expect((Self.count("assignments after rebalances", in: outcome.output) ?? 0) > 0, "\(outcome.output)")
    }

    @Test func `a consumer alone on SQLite has every figure right`() async throws {
        let outcome = try await Self.run(seed: 5, "--duration", "10", "--rate", "200", "--store", "sqlite")
        #expect(outcome.status == 0 && !outcome.isKilled, "\(outcome.errors)\(outcome.output)")
        #expect(Self.count("differences", in: outcome.output) == 0)
    }

    @Test func `a run that never ends is refused`() async throws {
        let outcome = try await Self.run(["--duration", "0"])
        #expect(outcome.status == 64 && outcome.errors.contains("--duration 0"))
        let property = try await Self.run(["--kafka", "group.protocol"])
        #expect(property.status == 64 && property.errors.contains("--kafka group.protocol: expected NAME=VALUE"))
    }
}
