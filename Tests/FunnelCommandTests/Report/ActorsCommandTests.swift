import FlowEvents
import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import RDKafka
import Testing

/// Tests the built `funnel-report actors` on both stores.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(10)),
    .enabled(if: Kcat.path != nil || !Kcat.mayBeMissing, "kcat is not installed: run scripts/bootstrap --tests")
)
struct ActorsCommandTests {
    private static let isOnPostgres = [false] + (PostgresServer.isAvailable ? [true] : [])

    private func environment(_ isOnPostgres: Bool) throws -> [String: String] {
        guard isOnPostgres else { return [:] }
        let server = try PostgresServer.shared()
        return ["STORE_URL": server.url(schema: try server.makeSchema())]
    }

    private struct Row: Decodable {
        let install_id: String
        let actor: String?
        let day: String
        let started_at: String?
        let steps_met: Int
    }

    @Test(arguments: isOnPostgres)
    func `the number of rows is the figure, for each step of every funnel of the examples`(isOnPostgres: Bool)
        async throws
    {
        let pipeline = try Pipeline(partitions: 3)
        let environment = try environment(isOnPostgres)
        try await Kcat.publish(Fixture.keyedEvents(), to: pipeline)
        _ = try await pipeline.count(environment: environment)
        let report = try Report(await pipeline.report("--format", "json", environment: environment).output)
        for funnel in report.funnels {
            for (index, step) in funnel.steps.enumerated() {
                let arguments = ["actors", funnel.name, "--step", step.name, "--format", "json"]
                let reached = try await run(arguments + ["--reached"], pipeline, environment)
                #expect(reached.count == step.count, "\(funnel.name) \(step.name)")
                #expect(reached.allSatisfy { $0.steps_met > index && $0.started_at?.hasPrefix($0.day) == true })
                #expect(reached.map(\.install_id) == reached.map(\.install_id).sorted())
                if funnel.count == "sessions" { #expect(reached.allSatisfy { $0.actor != nil }) }
                guard index > 0 else { continue }
                let dropped = try await run(arguments + ["--dropped"], pipeline, environment)
                #expect(dropped.count == funnel.steps[index - 1].count - step.count)
                #expect(dropped.allSatisfy { $0.steps_met == index })
                // Limited, it is the beginning of the same list.
                let some = try await run(arguments + ["--dropped", "--limit", "2"], pipeline, environment)
                #expect(some.map(\.install_id) == dropped.prefix(2).map(\.install_id))
            }
            for part in funnel.breakdown ?? [] {
                let rows = try await run(
                    [
                        "actors", funnel.name, "--step", part.steps[0].name, "--reached", "--format", "json", "--value",
                        part.value,
                    ],
                    pipeline,
                    environment
                )
                #expect(rows.count == part.steps[0].count)
            }
        }
    }

    private func run(
        _ arguments: [String],
        _ pipeline: Pipeline,
        _ environment: [String: String]
    ) async throws -> [Row] {
        let outcome = try await Command(
            "funnel-report",
            arguments,
            in: pipeline.directory,
            environment: environment
        ).end()
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try outcome.output.split(separator: "\n").map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    }

    @Test func `CSV has a header, and its cells are no formulas`() async throws {
        let pipeline = try Pipeline()
        let value = """
            {"specversion":"1.0","id":"1","source":"app://test","type":"screen_view","time":"2026-03-01T12:00:00.5Z",\
            "data":{"install_id":"=cmd(),\\"x\\"","screen":"home"}}
            """
        try await pipeline.publish([ProducerMessage(key: Array("k".utf8), value: Array(value.utf8))])
        _ = try await pipeline.count()
        let outcome = try await pipeline.report("actors", "home-to-paywall", "--step", "home", "--reached")
        #expect(
            outcome.output == """
                install_id,actor,day,started_at,steps_met,value
                "'=cmd(),""x\""",,2026-03-01,2026-03-01T12:00:00.500Z,1,

                """
        )
    }

    @Test func `mistakes are usage errors with the way out`() async throws {
        let pipeline = try Pipeline()
        _ = try await pipeline.count()
        for (arguments, text) in [
            (["nope", "--step", "home", "--reached"], "nope"),
            (["home-to-paywall", "--step", "hom", "--reached"], "its steps are 'home', 'paywall'"),
            (["home-to-paywall", "--step", "home", "--dropped"], "name a later step, or ask for --reached"),
            (["home-to-paywall", "--step", "home"], "--reached"),
            (["home-to-paywall", "--step", "home", "--reached", "--limit", "0"], "--limit"),
        ] {
            let outcome = try await Command("funnel-report", ["actors"] + arguments, in: pipeline.directory).end()
            #expect(outcome.status == 64 && outcome.errors.contains(text), "\(arguments): \(outcome.errors)")
        }
    }
}
