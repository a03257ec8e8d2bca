import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct ContentValueTests {
    private static func value(_ number: PropertyNumber, into strings: inout StringTable) -> ContentValue {
        number.withFieldNumber { ContentValue(.number($0), into: &strings) }
    }

    /// The number behind a value.
    private static func number(_ value: ContentValue, _ strings: StringTable) -> PropertyNumber? {
        value.withValue(strings) { value in
            if case .number(let number) = value { PropertyNumber(number) } else { nil }
        }
    }

    @Test(arguments: [
        "0", "-1", "1", "0.5", "1e-300", "1e+300", "-1e+300", "9007199254740993", "738529527931269425",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "18446744073709551617", "-9223372036854775809", "123456789012345678901234567",
    ])
    func `a number is kept with all its digits, and moves to another table`(text: String) throws {
        let number = try #require(PropertyNumber(decimal: text))
        var (strings, others) = (StringTable(), StringTable())
        let value = Self.value(number, into: &strings)
        #expect(Self.number(value, strings) == number)
        // Else every text has the same index in both.
        _ = others.intern(Array("first".utf8))
        let moved = value.mapText { others.intern($0, of: strings) }
        #expect(Self.number(moved, others) == number)
    }

    @Test(arguments: Seeds.upTo(200))
    func `equal numbers are one value, and others are others`(seed: UInt64) throws {
        var random = RandomDefinitions(seed: seed)
        var strings = StringTable()
        var values: [(number: PropertyNumber, value: ContentValue)] = []
        for _ in 0..<40 {
            guard let number = random.value().exactNumber else { continue }
            values.append((number, Self.value(number, into: &strings)))
        }
        for first in values {
            #expect(Self.number(first.value, strings) == first.number)
            for second in values { #expect((first.value == second.value) == (first.number == second.number)) }
        }
    }

    @Test func `a number whose text a damaged store has shortened is absent`() {
        var strings = StringTable()
        _ = Self.value(1, into: &strings)
        var damaged = StringTable()
        _ = damaged.intern(Array("short".utf8))
        let value = Self.value(2.5, into: &strings).mapText { _ in StringTable.Index(0) }
        #expect(value.withValue(damaged) { if case .absent = $0 { true } else { false } })
    }
}
