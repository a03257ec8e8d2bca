import FlowEvents
import Foundation
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct FunnelDefinitionsTests {
    /// A document of one funnel whose step has one condition.
    private static func definition(_ keys: String, condition: String = #","gt":1"#) -> String {
        #"{"version":5,"funnels":[{"name":"f","windowMilliseconds":1,\#(keys),"steps":[{"name":"s","any":["#
            + #"{"event":"e","conditions":[{"field":{"data":"a"}\#(condition)}]}]}]}]}"#
    }

    @Test func `the document that the damaged ones are made of is read`() throws {
        #expect(try FunnelDefinitions.decode(Self.definition(#""count":"installs""#)).count == 1)
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
                == #"{"funnels":[{"breakdown":{"isList":false,"parts":[{"field":{"property":"a"}}]},"count":"installs","#
                + #""description":"d","name":"f","steps":[{"any":[{"conditions":[{"field":{"data":"k"},"values":["#
                + #"{"number":1},{"string":"x"},{"bool":true},{"number":0.5}]}],"event":"e"}],"name":"s"}],"#
                + #""windowMilliseconds":1000}],"version":5}"#
        )
    }

    @Test func `keys that are not the default have a form of their own`() throws {
        let funnel = try Funnel(
            name: "f",
            count: .by("presentation_id"),
            entry: .first,
            window: .seconds(1),
            timeZone: FunnelTimeZone("Europe/Berlin"),
            exclusions: [Exclusion(event: "x", to: "t")],
            steps: [
                Step(name: "s", event: "e").where("k", .isNot("a"), .isAbsent, .atLeast(1), .hasPrefix("p")),
                Step(name: "t", event: "e").summing("properties.price", decimals: 2, unit: "properties.currency"),
            ]
        )
        #expect(
            FunnelDefinitions.encode([funnel])
                == #"{"funnels":[{"by":{"data":"presentation_id"},"count":"by","entry":"first","exclusions":"#
                + #"[{"any":[{"conditions":[],"event":"x"}],"to":"t"}],"name":"f","steps":[{"any":[{"conditions":["#
                + #"{"field":{"data":"k"},"not":[{"string":"a"}]},{"exists":false,"field":{"data":"k"}},"#
                + #"{"field":{"data":"k"},"gte":1},{"field":{"data":"k"},"prefix":"p"}],"event":"e"}],"name":"s"},"#
                + #"{"any":[{"conditions":[],"event":"e"}],"name":"t","sum":{"decimals":2,"field":{"property":"price"},"#
                + #""unit":{"property":"currency"}}}],"timeZone":"Europe/Berlin","windowMilliseconds":1000}],"version":5}"#
        )
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
        #expect(bound.contains(#""gte":"18446744073709551617""#))
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
            "", "{}", "[]", "null", #"{"version":5}"#, #"{"version":5,"funnels":[{"name":"f"}]}"#,
            #"{"version":4,"funnels":[]}"#,
            definition(#""count":"by""#), definition(#""count":"people""#),
            definition(#""count":"installs","by":{"data":"a"}"#), definition(#""count":"installs","entry":"last""#),
            definition(#""count":"installs""#, condition: ""),
            definition(#""count":"installs""#, condition: #","gt":1,"lt":2"#),
        ]
    )
    func `a damaged text is refused`(text: String) {
        #expect(throws: StoredDefinitionsError.damaged) { try FunnelDefinitions.decode(text) }
    }

    @Test func `a newer text is told from a damaged one`() {
        #expect(throws: StoredDefinitionsError.newer(6)) { try FunnelDefinitions.decode(#"{"version":6,"x":{}}"#) }
    }
}
