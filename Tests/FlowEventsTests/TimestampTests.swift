import FlowEventTestSupport
import Testing
@testable import FlowEvents
@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-20T10:15:30.123Z", 1_795_169_730_123),
            ("2026-11-20t10:15:30.123z", 1_795_169_730_123),
            ("2026-11-20T12:45:30.123+02:30", 1_795_169_730_123),
            ("2026-11-19T10:16:30.123-23:59", 1_795_169_730_123),
            ("2026-11-20T10:15:30-00:00", 1_795_169_730_000),
            ("2026-11-20T10:15:30.1Z", 1_795_169_730_100),
            ("2026-11-20T10:15:30.12Z", 1_795_169_730_120),
            ("2026-11-20T10:15:30.1239999999999999999999999999Z", 1_795_169_730_123),
            ("1969-12-31T23:59:59.9999Z", -1),
            ("1969-12-31T23:59:59.0009Z", -1000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("0000-01-01T00:00:00+23:59", -62_167_305_540_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("9999-12-31T23:59:59.999-23:59", 253_402_387_139_999),
        ] as [(String, Int64)]
    )
    func `RFC 3339 is read to the millisecond and the rest is cut off`(text: String, milliseconds: Int64) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }
    @Test(
        arguments: [
            "", "2026-11-20", "2026-11-20T10:15:30", "2026-11-20 10:15:30Z", "2026-11-20T10:15Z",
            "2026-11-20T10:15:60Z", "2016-12-31T23:59:60Z", "2026-11-20T24:00:00Z", "2026-11-20T10:60:00Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-00T00:00:00Z", "2026-11-31T00:00:00Z",
            "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-11-20T10:15:30.Z", "2026-11-20T10:15:30,1Z",
            "2026-11-20T10:15:30+24:00", "2026-11-20T10:15:30+01:60", "2026-11-20T10:15:30+0100",
            "2026-11-20T10:15:30+01", "2026-11-20T10:15:30ZZ", "2026-11-20T10:15:30Z ", " 2026-11-20T10:15:30Z",
            "20261120T101530Z", "+2026-11-20T10:15:30Z", "-001-11-20T10:15:30Z", "２026-11-20T10:15:30Z",
            "2026-1-20T10:15:30Z", "12026-11-20T10:15:30Z", "2026-11-20T10:15:30.1z1", "2026-11-20T10:15:30.-1Z",
        ]
    )
    func `what is not RFC 3339 is refused`(text: String) {
        #expect(Timestamp(text) == nil)
    }
    @Test func `a moment reads what it writes in every year of RFC 3339`() throws {
        var generator = SeededGenerator(seed: 3339)
        for _ in 0..<3000 {
            let time = Timestamp(
                milliseconds: .random(
                    in: Timestamp.writable.lowerBound.milliseconds...Timestamp.writable.upperBound.milliseconds,
                    using: &generator
                )
            )
            #expect(Timestamp(time.description) == time)
            #expect(time.description.utf8.count == 24)
        }
    }
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `the form that is read eight characters at once is the same RFC 3339`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var acceptedCount = 0
        for _ in 0..<20_000 {
            var text = Array("2026-11-20T10:15:30.123Z".utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                // Mostly digits, so that many of the texts are dates and many are not.
                let byte = generator.chance(80) ? UInt8(ascii: "0") + .random(in: 0...9, using: &generator) : nil
                text[.random(in: text.indices, using: &generator)] = byte ?? .random(in: 0...255, using: &generator)
            }
            guard text[10] == UInt8(ascii: "T") else { continue }
            let time = text.withUnsafeBytes { Timestamp(rfc3339: $0) }
            // Only the general form has a lower-case letter.
            text[10] = UInt8(ascii: "t")
            let general = text.withUnsafeBytes { Timestamp(rfc3339: $0) }
            #expect(time == general, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
            if time != nil { acceptedCount += 1 }
        }
        #expect((1000..<19_000).contains(acceptedCount))
    }
    @Test(
        arguments: [
            (1_795_169_730_123, "2026-11-20T10:15:30.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
            (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]
    )
    func `a moment is written in UTC with milliseconds`(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
    }
    @Test(arguments: [Int64.min, Int64.max])
    func `the farthest moments are written without a trap`(milliseconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).description.hasSuffix("Z"))
    }
    @Test func `days and dates agree over 800 years, one after the other`() throws {
        var expected = try #require(CivilDate(year: 1600, month: 1, day: 1))
        for days in expected.daysSince1970..<expected.daysSince1970 + 2 * 146_097 {
            let date = CivilDate(daysSince1970: days)
            guard date == expected, date.daysSince1970 == days else {
                Issue.record("\(days) is \(expected), not \(date)")
                return
            }
            let following = [
                (expected.year, expected.month, expected.day + 1), (expected.year, expected.month + 1, 1),
                (expected.year + 1, 1, 1),
            ]
            expected = try #require(following.lazy.compactMap { CivilDate(year: $0.0, month: $0.1, day: $0.2) }.first)
        }
        #expect(expected == CivilDate(year: 2400, month: 1, day: 1))
    }
}
