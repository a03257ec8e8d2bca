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
