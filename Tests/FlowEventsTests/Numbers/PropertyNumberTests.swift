import FlowEventTestSupport
import FlowEvents
import Foundation
import Testing

@Suite struct PropertyNumberTests {
    @Test func `an integer literal is exact`() {
        let id: PropertyValue = 738_529_527_931_269_425
        #expect(id != 738_529_527_931_269_426)
        #expect(id == .number(PropertyNumber(738_529_527_931_269_425 as Int64)))
        #expect(id != .number(738_529_527_931_269_425.0 as Double))
        #expect(Set([id, 738_529_527_931_269_426, 738_529_527_931_269_427]).count == 3)
    }

    @Test(arguments: [
        ["1", "1.0", "1.", "01", "+1", "1e0", "10e-1", "0.1E1"], ["0", "-0", "0.0", "0e5", ".0", "-0e-9"],
        ["18446744073709551615", "18446744073709551615.000", "1.8446744073709551615e19"],
        ["-9223372036854775808", "-9223372036854775808.0", "-922337203685477580800e-2"],
        ["18446744073709551617", "18446744073709551617.0", "0018446744073709551617"],
        ["100000000000000000000", "1e20", "100000000000000000000.00"], ["0.5", ".5", "5e-1"],
    ])
    func `forms of one number are equal and have one text`(forms: [String]) throws {
        let numbers = try forms.map { try #require(PropertyNumber(decimal: $0)) }
        #expect(Set(numbers).count == 1 && Set(numbers.map(\.description)).count == 1)
        #expect(!numbers.contains { $0 < numbers[0] || numbers[0] < $0 })
    }

    @Test(arguments: ["", "+", "-", ".", "e1", "1e", "1e+", "1.2.3", "0x1", "inf", "nan", "1 ", "--1", "١"])
    func `another text is no decimal number`(text: String) {
        #expect(PropertyNumber(decimal: text) == nil)
    }

    @Test(arguments: [
        ("1e400", Double.infinity), ("-1e400", -.infinity), (String(repeating: "9", count: 400), .infinity),
    ])
    func `a number that no double can hold is infinite`(text: String, double: Double) throws {
        let number = try #require(PropertyNumber(decimal: text))
        #expect(number.double == double && !number.isFinite)
    }

    @Test func `negative zero is 0, and NaN equals nothing`() {
        #expect(PropertyNumber(-0.0) == 0 && PropertyNumber(-0.0).description == "0")
        #expect(PropertyNumber(Double.nan) != PropertyNumber(Double.nan))
    }

    // Foundation's decimal numbers have 38 digits, and nothing in common with these.
    @Test func `integers compare as decimal numbers do`() throws {
        var generator = SeededGenerator(seed: 4401)
        func digits() -> String {
            let near = ["9007199254740992", "9223372036854775807", "18446744073709551615", "738529527931269425", "7"]
            let start = String(near.randomElement(using: &generator)?.dropLast() ?? "")
            let count = Int.random(in: 1...3, using: &generator)
            let end = (0..<count).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
            let text = start + end + (Int.random(in: 0...5, using: &generator) == 0 ? "000000000000001" : "")
            return Bool.random(using: &generator) ? text : "-" + text
        }
        for round in 0..<20_000 {
            let (left, right) = (digits(), digits())
            let numbers = try [left, right].map { try #require(PropertyNumber(decimal: $0)) }
            let decimals = try [left, right].map { try #require(Decimal(string: $0)) }
            try #require(
                (numbers[0] == numbers[1]) == (decimals[0] == decimals[1]),
                "round \(round): \(left), \(right)"
            )
            try #require((numbers[0] < numbers[1]) == (decimals[0] < decimals[1]), "round \(round): \(left), \(right)")
            #expect(numbers[0] == numbers[0] && PropertyNumber(decimal: numbers[0].description) == numbers[0])
        }
    }

    @Test func `doubles keep their order, and stand between the right integers`() {
        var generator = SeededGenerator(seed: 4402)
        for _ in 0..<20_000 {
            let (left, right) = (Double(bitPattern: generator.next()), Double(bitPattern: generator.next()))
            guard left.isFinite, right.isFinite else { continue }
            #expect((PropertyNumber(left) < PropertyNumber(right)) == (left < right))
            #expect(PropertyNumber(decimal: PropertyNumber(left).description) == PropertyNumber(left))
            let whole = Int64(bitPattern: generator.next())
            let fraction = Double(whole >> 13) + 0.5
            #expect(PropertyNumber(whole >> 13) < PropertyNumber(fraction))
            #expect(PropertyNumber(fraction) < PropertyNumber((whole >> 13) + 1))
        }
    }

    @Test func `a property is written and read exactly`() throws {
        let texts = [
            "738529527931269425", "18446744073709551615", "-9223372036854775809", "0.1", "1e+300", "100000000000000000",
        ]
        for text in texts {
            let number = try #require(PropertyNumber(decimal: text))
            var event = Event(id: "1", source: "a", type: "t", time: Timestamp(milliseconds: 0), installID: "i")
            event.properties = ["n": .number(number)]
            let json = try event.encoded()
            #expect(String(decoding: json, as: UTF8.self).hasSuffix(#"{"n":\#(text)}}}"#))
            #expect(try Event(json: json).properties == event.properties)
        }
    }
}
