import FlowEvents
import Testing

@testable import Funnels

@Suite struct EqualityConditionsTests {
    private var conditions = EqualityConditions()

    @Test mutating func `equal conditions of a field are one bit`() {
        let bits = [
            conditions.bit(of: ["home"], field: 0), conditions.bit(of: ["home", "paywall"], field: 0),
            conditions.bit(of: ["home"], field: 1), conditions.bit(of: ["home"], field: 0),
        ]
        #expect(bits == [1, 2, 4, 1])
    }

    @Test mutating func `a value has the bits of all conditions that accept it`() throws {
        _ = conditions.bit(of: ["home", 1], field: 3)
        _ = conditions.bit(of: ["home", true], field: 3)
        _ = conditions.bit(of: [true], field: 5)
        let comparisons = conditions.comparisons
        #expect(comparisons.map(\.field) == [3, 5])
        #expect(comparisons.first?.values.map(\.value) == ["home", 1, true])
        #expect(comparisons.first?.values.map(\.conditions) == [3, 1, 2])
        #expect(comparisons.last?.values.map(\.conditions) == [4])
    }

    @Test mutating func `texts with different bytes are different values`() {
        // Swift holds a letter with its accent and the same letter with a combining accent to be equal.
        let bits = [conditions.bit(of: ["caf\u{E9}"], field: 0), conditions.bit(of: ["cafe\u{301}"], field: 0)]
        #expect(bits == [1, 2])
        #expect(conditions.comparisons.first?.values.map(\.conditions) == [1, 2])
    }

    @Test mutating func `there are as many conditions as bits`() {
        let bits = (0..<65).map { conditions.bit(of: [.number(Double($0))], field: 0) }
        #expect(bits[63] == 1 << 63)
        #expect(bits[64] == nil)
        // One that is known has its bit all the same.
        let known = conditions.bit(of: [7], field: 0)
        #expect(known == 1 << 7)
    }
}
