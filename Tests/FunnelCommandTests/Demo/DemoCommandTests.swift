import FlowTestSupport
import Foundation
import Testing

/// `funnel-demo`, as it was built, with the programs beside it.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct DemoCommandTests {
    @Test func `the funnels are the same, figure for figure, whether events go to Kafka or through the collector`()
        async throws
    {
        let directory = try TemporaryDirectory()
        try directory.write(Fixture.text("funnels.yaml"), to: "config/funnels.yaml")
        var reports: [Report] = []
        for route in ["kafka", "http"] {
            let options = [
                "--people", "150", "--days", "3", "--seed", "11", "--keep", "\(route).sqlite", "--via", route,
            ]
            let demo = try await Command("funnel-demo", options, in: directory).end()
            try #require(demo.status == 0, "\(demo.errors)")
            #expect(demo.output.contains("Checked: "))
            #expect(demo.output.contains(route == "http" ? "the events go over HTTP" : "the events go over TCP"))
            #expect(demo.output.contains(#/\d+ notifications? in /#))
            let arguments = ["--store", "sqlite:\(route).sqlite", "--format", "json"]
            reports.append(try Report(try await Command("funnel-report", arguments, in: directory).end().output))
        }
        #expect(reports[0] == reports[1])
        #expect(reports[0].quality.events > 500)
    }

    @Test func `with --serve the report is shown until the demo is interrupted, and the store is kept`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(Fixture.text("funnels.yaml"), to: "config/funnels.yaml")
        let options = ["--people", "60", "--days", "2", "--keep", "demo.sqlite", "--serve"]
        let demo = try Command("funnel-demo", options, in: directory)
        try await until("the address is printed: \(demo.errors)") {
            try #require(demo.isRunning)
            return demo.output.contains("in a browser. Ctrl-C")
        }
        let address = try #require(demo.output.firstMatch(of: /Open (http\S+) in a browser/)?.1)
        let client = CollectorClient(address: try #require(URL(string: String(address))))
        let page = try await client.get("funnels/home-to-paywall")
        #expect(page.status == 200 && page.body.contains("home-to-paywall"))
        demo.send(SIGINT)
        let outcome = try await demo.end()
        #expect(outcome.status == 128 + SIGINT)
        #expect(FileManager.default.fileExists(atPath: directory.file("demo.sqlite")))
    }

    @Test func `a route that is neither is a matter of usage`() async throws {
        let outcome = try await Command("funnel-demo", ["--via", "pigeon"], in: TemporaryDirectory()).end()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("kafka") && outcome.errors.contains("http"))
    }
}
