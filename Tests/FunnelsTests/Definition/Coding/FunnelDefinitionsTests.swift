import FlowEvents
import Foundation
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct FunnelDefinitionsTests {
    /// A document of one funnel whose step has one condition.
    private static func definition(
        _ keys: String = #""count":{"installs":{}},"entry":"any""#,
        test: String = #"{"greaterThan":{"_0":1}}"#,
        decimals: Int = 2
    ) -> String {
        #"{"version":6,"funnels":[{"name":"f","windowMilliseconds":1,\#(keys),"timeZone":{"name":"UTC"},"exclusions":[],"#
            + #""steps":[{"name":"s","isOptional":false,"sum":{"field":{"data":"a"},"decimals":\#(decimals)},"#
            + #""alternatives":[{"event":"e","conditions":[{"field":{"data":"a"},"test":\#(test)}]}]}]}]}"#
    }

    @Test func `the document that the damaged ones are made of is read`() throws {
        #expect(try FunnelDefinitions.decode(Self.definition()).count == 1)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `definitions read back as they were written, byte for byte`(seed: UInt64) throws {
        var random = RandomDefinitions(seed: seed)
        let funnels = try (0..<5).map { try random.funnel(name: "f\($0)") }
        let text = FunnelDefinitions.encode(funnels)
        let decoded = try FunnelDefinitions.decode(text)
        #expect(decoded == funnels)
        #expect(decoded.map(\.countingIdentity) == funnels.map(\.countingIdentity))
        #expect(FunnelDefinitions.encode(decoded).utf8.elementsEqual(text.utf8))
    }

    @Test func `the form stays the same, as stores keep it`() throws {
        let funnel = try Funnel(
            name: "f",
            description: "d",
            window: .seconds(1),
            breakdown: "properties.a",
            steps: [Step(name: "s", event: "e", conditions: [Condition(.data("k"), in: [1, "x", true, 0.5])])]
        )
        #expect(
            FunnelDefinitions.encode([funnel])
                == #"{"funnels":[{"breakdown":{"isList":false,"parts":[{"field":{"property":"a"}}]},"count":{"installs":{}},"#
                + #""description":"d","entry":"any","exclusions":[],"name":"f","steps":[{"alternatives":[{"conditions":["#
                + #"{"field":{"data":"k"},"test":{"isOneOf":{"_0":[{"number":1},{"string":"x"},{"bool":true},"#
                + #"{"number":0.5}]}}}],"event":"e"}],"isOptional":false,"name":"s"}],"timeZone":{"name":"UTC"},"#
                + #""windowMilliseconds":1000}],"version":6}"#
        )
    }

    @Test func `the form of all that a definition can say stays the same`() throws {
        let bought = EventPattern(event: "e")
            .where("k", .isNot(1), .isPresent, .greaterThan(1), .atLeast(1), .lessThan(1), .atMost(1))
        let all = try Funnel(
            name: "f",
            count: .by("k"),
            entry: .first,
            window: .seconds(1),
            breakdown: Breakdown(list: [Breakdown.Part("k"), Breakdown.Part("k", ofStep: "c")]),
            next: NextEvent("e", conditions: [Condition("k", .isAbsent)], field: "k")
        ) {
            Step(name: "a", event: "e")
            Step(name: "b", event: "e").optional()
            Step(name: "c", any: [bought, EventPattern(event: "e").where("k", .hasPrefix("x"), .contains("y"))])
                .summing("k", decimals: 2, unit: "u")
            Exclusion(event: "e", from: "a", to: "c")
        }
        let test = try Funnel(
            name: "t",
            count: .sessions,
            window: .seconds(1),
            breakdown: "k",
            experiment: Experiment(control: "x", shares: ["x": 1, "y": 0.5])
        ) { Step(name: "a", event: "e") }
        let expected = [
            #"{"funnels":[{"breakdown":{"isList":true,"parts":[{"field":{"data":"k"}},{"field":{"data":"k"},"#,
            #""step":"c"}]},"count":{"by":{"_0":{"data":"k"}}},"entry":"first","#,
            #""exclusions":[{"alternatives":[{"conditions":[],"event":"e"}],"from":"a","to":"c"}],"name":"f","#,
            #""next":{"field":{"data":"k"},"filter":{"conditions":[{"field":{"data":"k"},"#,
            #""test":{"exists":{"_0":false}}}],"event":"e"}},"steps":[{"alternatives":[{"conditions":[],"#,
            #""event":"e"}],"isOptional":false,"name":"a"},{"alternatives":[{"conditions":[],"event":"e"}],"#,
            #""isOptional":true,"name":"b"},{"alternatives":[{"conditions":[{"field":{"data":"k"},"#,
            #""test":{"isNoneOf":{"_0":[{"number":1}]}}},{"field":{"data":"k"},"test":{"exists":{"_0":true}}},"#,
            #"{"field":{"data":"k"},"test":{"greaterThan":{"_0":1}}},{"field":{"data":"k"},"#,
            #""test":{"atLeast":{"_0":1}}},{"field":{"data":"k"},"test":{"lessThan":{"_0":1}}},"#,
            #"{"field":{"data":"k"},"test":{"atMost":{"_0":1}}}],"event":"e"},"#,
            #"{"conditions":[{"field":{"data":"k"},"test":{"hasPrefix":{"_0":"x"}}},{"field":{"data":"k"},"#,
            #""test":{"contains":{"_0":"y"}}}],"event":"e"}],"isOptional":false,"name":"c","sum":{"decimals":2,"#,
            #""field":{"data":"k"},"unit":{"data":"u"}}}],"timeZone":{"name":"UTC"},"windowMilliseconds":1000},"#,
            #"{"breakdown":{"isList":false,"parts":[{"field":{"data":"k"}}]},"count":{"sessions":{}},"#,
            #""entry":"any","exclusions":[],"experiment":{"control":"x","shares":[{"value":"x","weight":1},"#,
            #"{"value":"y","weight":0.5}]},"name":"t","steps":[{"alternatives":[{"conditions":[],"event":"e"}],"#,
            #""isOptional":false,"name":"a"}],"timeZone":{"name":"UTC"},"windowMilliseconds":1000}],"version":6}"#,
        ]
        #expect(FunnelDefinitions.encode([all, test]) == expected.joined())
    }

    @Test func `an integer that no double holds is kept as a text`() throws {
        func text(_ test: Condition.Test) throws -> String {
            let step = Step(name: "s", event: "e").where("k", test)
            let funnel = try Funnel(name: "f", window: .seconds(1), steps: [step])
            let text = FunnelDefinitions.encode([funnel])
            #expect(try FunnelDefinitions.decode(text) == [funnel])
            return text
        }
        let values = try text(.is(9_007_199_254_740_993, 9_007_199_254_740_994))
        #expect(values.contains(#"[{"number":"9007199254740993"},{"number":9"#))
        let large = try #require(PropertyNumber(decimal: "18446744073709551617"))
        let bound = try text(.atLeast(large))
        #expect(bound.contains(#"{"atLeast":{"_0":"18446744073709551617"}}"#))
        #expect(try text(.isNot(.number(large))).contains(#"[{"number":"18446744073709551617"}]"#))
    }

    @Test func `a stored time zone that this machine does not know is read`() throws {
        let funnel = try Funnel(
            name: "f",
            window: .seconds(1),
            timeZone: FunnelTimeZone("Asia/Tokyo"),
            steps: [Step(name: "s", event: "e")]
        )
        let text = FunnelDefinitions.encode([funnel]).replacingOccurrences(of: "Asia/Tokyo", with: "Mars/Olympus")
        #expect(try FunnelDefinitions.decode(text)[0].timeZone.name == "Mars/Olympus")
    }

    @Test(
        arguments: [
            "", "{}", "[]", "null", #"{"version":6}"#, #"{"version":6,"funnels":[{"name":"f"}]}"#,
            #"{"version":5,"funnels":[]}"#,
            definition(#""count":{"by":{}},"entry":"any""#), definition(#""count":{"people":{}},"entry":"any""#),
            definition(#""count":{"installs":{}},"entry":"last""#),
            definition(test: "{}"), definition(test: #"{"greaterThan":{"_0":1},"lessThan":{"_0":2}}"#),
            definition(test: #"{"greaterThan":{"_0":"many"}}"#), definition(test: #"{"isOneOf":{"_0":[{}]}}"#),
            // A funnel that cannot be.
            definition(decimals: 7),
        ]
    )
    func `a damaged text is refused`(text: String) {
        #expect(throws: StoredDefinitionsError.damaged) { try FunnelDefinitions.decode(text) }
    }

    @Test func `a newer text is told from a damaged one`() {
        #expect(throws: StoredDefinitionsError.newer(7)) { try FunnelDefinitions.decode(#"{"version":7,"x":{}}"#) }
    }
}
