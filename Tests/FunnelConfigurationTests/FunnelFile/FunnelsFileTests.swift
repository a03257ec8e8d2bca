import FlowEvents
import Funnels
import Testing
import YAMLNodes

@testable import FunnelFile

@Suite struct FunnelsFileTests {
    @Test func `a whole file gives its funnels in order`() throws {
        let funnels = try FunnelsFile.parse(
            Array(
                """
                funnels:
                  - name: home-to-paywall          # unique
                    description: Home screen to paywall
                    count: installs
                    window: 30m
                    steps:
                      - name: home
                        event: screen_view
                        where: {screen: home}
                      - name: paywall
                        event: screen_view
                        where: {screen: paywall, paywall_source: [home, profile]}
                  - name: paywall-to-purchase
                    count: sessions
                    window: 1h30m
                    breakdown: properties.a.b
                    steps:
                      - {name: paywall, event: screen_view, where: {screen: paywall}}
                      - {name: purchase, event: purchase, where: {}}
                """.utf8
            ),
            file: "f"
        )
        #expect(
            funnels == [
                try Funnel(
                    name: "home-to-paywall",
                    description: "Home screen to paywall",
                    window: .seconds(1800),
                    steps: [
                        Step(name: "home", event: "screen_view", where: ["screen": "home"]),
                        Step(
                            name: "paywall",
                            event: "screen_view",
                            conditions: [
                                Condition(.data("screen"), is: "paywall"),
                                Condition(.data("paywall_source"), in: ["home", "profile"]),
                            ]
                        ),
                    ]
                ),
                try Funnel(
                    name: "paywall-to-purchase",
                    count: .sessions,
                    window: .seconds(5400),
                    breakdown: .property("a.b"),
                    steps: [
                        Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
                        Step(name: "purchase", event: "purchase"),
                    ]
                ),
            ]
        )
    }

    @Test(arguments: [
        ("on", "on"), ("no", "no"), ("1_000", "1_000"), ("1:30", "1:30"), ("2026-11-20", "2026-11-20"), ("'1'", "1"),
        ("\"true\"", "true"), ("''", ""), ("!!str 17", "17"), ("!!str", ""), ("inf", "inf"), ("0x", "0x"), ("-x", "-x"),
        (".", "."), ("1e", "1e"), ("0b1", "0b1"), ("|-\n            text", "text"), ("yes please", "yes please"),
    ])
    func `what the core schema does not name is a text`(written: String, text: String) throws {
        #expect(try value(written) == [.string(text)])
    }

    @Test(arguments: [
        ("1", 1), ("-17", -17), ("+5", 5), ("0o17", 15), ("0xFF", 255), (".5", 0.5), ("1.", 1), ("1e3", 1000),
        ("1.5E-1", 0.15), ("010", 10), ("!!float 1", 1), ("!!int '7'", 7), ("9007199254740993", 9_007_199_254_740_992),
    ])
    func `numbers are doubles`(written: String, number: Double) throws {
        #expect(try value(written) == [.number(number)])
    }

    @Test func `truth values, lists and aliases are read`() throws {
        #expect(try value("[True, FALSE, &x on, *x]") == [true, false, "on", "on"])
    }

    private func value(_ written: String) throws -> [PropertyValue] {
        let text = """
            funnels:
              - name: f
                window: 1s
                steps:
                  - name: s
                    event: e
                    where:
                      field: \(written)
            """
        let funnel = try #require(try FunnelsFile.parse(Array(text.utf8), file: "f").first)
        return try #require(funnel.steps.first?.conditions.first?.values)
    }

    @Test func `canonically equivalent step names are different names`() throws {
        let text = """
            funnels: [{name: f, window: 1s, steps: [{name: "\\u00e9", event: e}, {name: "e\\u0301", event: e}]}]
            """
        #expect(try FunnelsFile.parse(Array(text.utf8), file: "f").first?.steps.count == 2)
    }

    @Test func `a byte order mark is skipped`() throws {
        let text = "\u{FEFF}funnels: [{name: f, window: 1s, steps: [{name: s, event: e}]}]"
        #expect(try FunnelsFile.parse(Array(text.utf8), file: "f").count == 1)
    }

    @Test func `a file that is not there is named, with the way out`() {
        let error = #expect(throws: ConfigurationError.self) {
            try FunnelsFile.read(path: "/nonexistent/funnels.yaml", remedy: "name another file")
        }
        #expect(error?.description == "/nonexistent/funnels.yaml: there is no such file: name another file")
    }

    @Test func `a directory is not a file`() {
        let error = #expect(throws: ConfigurationError.self) { try FunnelsFile.read(path: "/") }
        #expect(error?.source == "/")
    }

    @Test func `bytes that are not UTF-8 are refused with their line`() {
        let bytes = Array("funnels:\n  - name: a".utf8) + [0xFF, 0x0A]
        let error = #expect(throws: ConfigurationError.self) { try FunnelsFile.parse(bytes, file: "f") }
        #expect(error?.description == "f:2: expected UTF-8, found other bytes: save the file as UTF-8")
    }
}
