import FlowEvents
import Testing

@testable import Funnels

@Suite struct FunnelDefinitionsTests {
    private static let texts = ["home", "é", "e\u{301}", "\u{0}\u{1F}\"\\/", "🎉", "", "properties.x", "1"]

    private func funnel(_ random: inout some RandomNumberGenerator, name: String) throws -> Funnel {
        func text() -> String { Self.texts[Int.random(in: 0..<Self.texts.count, using: &random)] }
        func field() -> Field { Bool.random(using: &random) ? .data(text()) : .property(text()) }
        func value() -> PropertyValue {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .string(text())
            case 1: .number(Double(bitPattern: .random(in: 0...(.max), using: &random)))
            case 2: .number(Double(Int.random(in: -3...3, using: &random)))
            default: .bool(.random(using: &random))
            }
        }
        let steps = (0..<Int.random(in: 1...32, using: &random)).map { index in
            let conditions = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                let values = (0..<Int.random(in: 0...3, using: &random)).map { _ in value() }
                return Condition(field(), in: values.filter { $0 == $0 })
            }
            return Step(name: "\(text())-\(index)", event: text(), conditions: conditions)
        }
        return try Funnel(
            name: name,
            description: Bool.random(using: &random) ? text() : nil,
            count: .allCases.randomElement(using: &random) ?? .installs,
            window: .milliseconds(Int64.random(in: 1...Funnel.maximumWindow, using: &random)),
            breakdown: Bool.random(using: &random) ? field() : nil,
            steps: steps
        )
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `definitions read back as they were written, byte for byte`(seed: UInt64) throws {
        var random = Seeded(seed: seed)
        let funnels = try (0..<5).map { try funnel(&random, name: "f\($0)") }
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
            breakdown: .property("a"),
            steps: [Step(name: "s", event: "e", conditions: [Condition(.data("k"), in: [1, "x", true, 0.5])])]
        )
        #expect(
            FunnelDefinitions.encode([funnel])
                == #"{"funnels":[{"breakdown":{"property":"a"},"count":"installs","description":"d","name":"f","steps":"#
                + #"[{"conditions":[{"field":{"data":"k"},"values":[{"number":1},{"string":"x"},{"bool":true},"#
                + #"{"number":0.5}]}],"event":"e","name":"s"}],"windowMilliseconds":1000}],"version":1}"#
        )
    }

    @Test(arguments: ["", "{}", "[]", "null", #"{"version":1}"#, #"{"version":1,"funnels":[{"name":"f"}]}"#])
    func `a damaged text is refused`(text: String) {
        #expect(throws: StoredDefinitionsError.damaged) { try FunnelDefinitions.decode(text) }
    }

    @Test func `a newer text is told from a damaged one`() {
        #expect(throws: StoredDefinitionsError.newer(2)) { try FunnelDefinitions.decode(#"{"version":2,"x":{}}"#) }
    }
}

/// SplitMix64, of [Steele, Lea and Flood](https://doi.org/10.1145/2714064.2660195): equal seeds give equal numbers.
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
