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
                      - {name: purchase, event: purchase}
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
                    breakdown: "properties.a.b",
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
        ("1.5E-1", 0.15), ("010", 10), ("!!float 1", 1), ("!!int '7'", 7),
    ])
    func `numbers are read in all forms of the core schema`(written: String, number: Double) throws {
        #expect(try value(written) == [.number(number)])
    }

    @Test(arguments: [
        "9007199254740993", "738529527931269425", "-9223372036854775808", "18446744073709551615",
        "123456789012345678901234567890",
    ])
    func `integers are kept exactly`(written: String) throws {
        let number = try #require(PropertyNumber(decimal: written))
        for form in [written, "\(written).0", "!!int \(written)"] {
            #expect(try value(form) == [.number(number)])
        }
        #expect(number.description == written)
        #expect(try value(String(written.dropLast()) + "7") != [.number(number)])
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
        guard case .isOneOf(let values)? = funnel.steps.first?.alternatives.first?.conditions.first?.test else {
            return []
        }
        return values
    }

    @Test func `the example of all keys is read, and a builder says the same`() throws {
        let text = """
            timezone: Europe/Berlin
            funnels:
              - name: paywall-revenue
                count: {by: presentation_id}
                entry: any
                window: 3d
                breakdown: paywall_source
                exclude:
                  - {event: paywall_close, where: {transition: swipe_dismiss}, from: paywall, to: purchase}
                steps:
                  - {name: paywall, event: screen_view, where: {screen: paywall}}
                  - name: purchase
                    event: purchase
                    where:
                      properties.plan: {not: [trial, promo]}
                      properties.price: {gte: 1, lt: 100}
                      properties.sku: {prefix: com.example.}
                      properties.coupon: {exists: false}
                    sum: {field: properties.price, decimals: 2, unit: properties.currency}
            """
        // The example in the documentation of FunnelBuilder.
        let funnel = try Funnel(
            name: "paywall-revenue",
            count: .by("presentation_id"),
            window: .seconds(3 * 86_400),
            breakdown: "paywall_source",
            timeZone: FunnelTimeZone("Europe/Berlin")
        ) {
            Step(name: "paywall", event: "screen_view")
                .where("screen", .is("paywall"))
            Step(name: "purchase", event: "purchase")
                .where("properties.plan", .isNot("trial", "promo"))
                .where("properties.price", .atLeast(1), .lessThan(100))
                .where("properties.sku", .hasPrefix("com.example."))
                .where("properties.coupon", .isAbsent)
                .summing("properties.price", decimals: 2, unit: "properties.currency")
            Exclusion(event: "paywall_close", from: "paywall", to: "purchase")
                .where("transition", .is("swipe_dismiss"))
        }
        #expect(try FunnelsFile.parse(Array(text.utf8), file: "f") == [funnel])
    }

    @Test(
        arguments: [
            ("{not: a}", [.isNot("a")]), ("{not: [a, 1, true]}", [.isNot("a", 1, true)]),
            ("{exists: true}", [.isPresent]),
            ("{exists: false}", [.isAbsent]), ("{gt: 1}", [.greaterThan(1)]), ("{gte: -0.5}", [.atLeast(-0.5)]),
            ("{lt: 1e3}", [.lessThan(1000)]), ("{lte: 0x10}", [.atMost(16)]), ("{prefix: '1'}", [.hasPrefix("1")]),
            ("{contains: ''}", [.contains("")]),
            ("{lt: 2, not: 1, gt: 0}", [.lessThan(2), .isNot(1), .greaterThan(0)]),
        ] as [(String, [Condition.Test])]
    )
    func `each operator is a test, and all of a map must hold`(written: String, tests: [Condition.Test]) throws {
        let text = "funnels: [{name: f, window: 1s, steps: [{name: s, event: e, where: {k: \(written)}}]}]"
        let funnel = try #require(try FunnelsFile.parse(Array(text.utf8), file: "f").first)
        #expect(funnel.steps[0].alternatives[0].conditions == tests.map { Condition("k", $0) })
    }

    @Test func `the time zone is that of each funnel`() throws {
        let funnels =
            "funnels: [{name: f, window: 1s, steps: [{name: s, event: e}]}, "
            + "{name: g, window: 1s, steps: [{name: s, event: e}]}]"
        func zones(_ text: String) throws -> [String] {
            try FunnelsFile.parse(Array(text.utf8), file: "f").map(\.timeZone.name)
        }
        #expect(try zones(funnels) == ["UTC", "UTC"])
        #expect(try zones("timezone: Asia/Tokyo\n" + funnels) == ["Asia/Tokyo", "Asia/Tokyo"])
        #expect(try zones("timezone: Etc/UTC\n" + funnels) == ["UTC", "UTC"])
    }

    @Test func `keys that are left out are the defaults`() throws {
        let left =
            "funnels: [{name: f, window: 1s, exclude: [{event: x}], steps: [{name: s, event: e, "
            + "sum: {field: n}}, {name: t, event: e}]}]"
        let given =
            "timezone: UTC\nfunnels: [{name: f, window: 1s, count: installs, entry: any, "
            + "exclude: [{event: x, from: s, to: t}], "
            + "steps: [{name: s, event: e, sum: {field: n, decimals: 0}}, {name: t, event: e}]}]"
        let funnels = try [left, given].map { try FunnelsFile.parse(Array($0.utf8), file: "f") }
        #expect(funnels[0].map(\.countingIdentity) == funnels[1].map(\.countingIdentity))
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
