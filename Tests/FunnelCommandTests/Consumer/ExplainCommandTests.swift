import FlowTestSupport
import Foundation
import Testing

/// Tests the built `funnel-consumer explain`, which needs no broker.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct ExplainCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func explain(_ arguments: String..., environment: [String: String] = [:]) async throws -> Command.Outcome {
        try await Command("funnel-consumer", ["explain"] + arguments, in: directory, environment: environment).end()
    }

    private static let file = """
        timezone: Europe/Berlin
        funnels:
          - name: paywall-revenue
            description: Revenue of each presentation
            count: {by: presentation_id}
            window: 3d
            breakdown: paywall_source
            exclude: [{event: paywall_close, where: {transition: swipe_dismiss}}]
            steps:
              - {name: paywall, event: screen_view, where: {screen: paywall}}
              - {name: purchase, event: purchase, sum: {field: properties.price, decimals: 2, unit: properties.currency}}
        """

    private static let words = """
        paywall-revenue: Revenue of each presentation
          Of each presentation of a paywall with a screen_view where screen is "paywall" (paywall):
            how many went on to a purchase (purchase) within 3 days,
            unless a paywall_close where transition is "swipe_dismiss" came after paywall and before purchase.
          Counts also for each value that paywall_source has in the first step's event.
          Adds up properties.price of purchase, with 2 decimals, separately for each properties.currency.
          Events without presentation_id do not take part.
          The days are those of Europe/Berlin.
        """

    @Test func `each funnel is printed in words, and no store is made`() async throws {
        try directory.write(Self.file, to: "config/funnels.yaml")
        let outcome = try await explain()
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.output == Self.words + "\n\nThere is no store at sqlite:funnels.sqlite yet.\n")
        #expect(!FileManager.default.fileExists(atPath: directory.file("funnels.sqlite")))
    }

    @Test func `the changes against a store are printed with the command that makes them`() async throws {
        func file(window: String, more: String = "") -> String {
            "funnels:\n- {name: a, window: \(window), steps: [{name: s, event: e}]}\n\(more)"
        }
        try directory.write(file(window: "1h"), to: "old.yaml")
        let pipeline = try Pipeline()
        let counted = try await Command(
            "funnel-consumer",
            ["--exit-at-end", "--funnels", "old.yaml"],
            in: directory,
            environment: pipeline.environment
        ).end()
        try #require(counted.status == 0, "\(counted.errors)")

        let same = try await explain("--funnels", "old.yaml", "--store", "sqlite:funnels.sqlite")
        #expect(
            same.output == """
                a
                  How many installs have an e (s).

                The store sqlite:funnels.sqlite counts these funnels: nothing to rebuild.

                """,
            "\(same.errors)"
        )

        let more = "- {name: b, window: 1h, entry: first, steps: [{name: s, event: e}]}\n"
        try directory.write(file(window: "2h", more: more), to: "new.yaml")
        let changed = try await explain(environment: ["FUNNELS_PATH": "new.yaml", "STORE_URL": "sqlite:funnels.sqlite"])
        #expect(changed.status == 0, "\(changed.errors)")
        #expect(
            changed.output.hasSuffix(
                """
                The store sqlite:funnels.sqlite counts other funnels: changed: a (window 1h, now 2h); added: b \
                (installs within 1h, first entries: s (e))
                To count as the file says: funnel-consumer rebuild a b

                """
            ),
            "\(changed.output)"
        )
    }

    @Test func `a mistake in the funnels file is a configuration error`() async throws {
        try directory.write("timezone: Mars/Olympus\nfunnels: []\n", to: "config/funnels.yaml")
        expect(try await explain(), 78, saying: "config/funnels.yaml:1: timezone: unknown time zone 'Mars/Olympus'")
        expect(try await explain("--funnels", "missing.yaml"), 78, saying: "missing.yaml: there is no such file")
        expect(try await explain("--config", "missing.yaml"), 78, saying: "missing.yaml: there is no such file")
    }

    @Test func `a store that is damaged or wrongly named is told as elsewhere`() async throws {
        try directory.write(Self.file, to: "config/funnels.yaml")
        try directory.write(
            "this is no database, and long enough to be one: " + String(repeating: "x", count: 4096),
            to: "s"
        )
        expect(try await explain("--store", "sqlite:s"), 65, saying: "--store or STORE_URL names another store")
        expect(try await explain("--store", "mysql:s"), 64, saying: "expected a store as sqlite:PATH or postgres://")
    }
}
