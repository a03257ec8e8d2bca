import EventTracking
import EventTrackingTestKit
import FlowEvents
import Foundation
import Testing

/// A price on its way from a decimal number to JSON and to the integers that a funnel adds up.
@Suite struct PurchasePriceTests {
    /// The number in the JSON of a purchase, as it is written there.
    private static func text(of price: Decimal) throws -> String? {
        let draft = PurchaseFacts(.purchased, price: price).draft()
        let event = Event(
            id: "1",
            source: "app://test",
            type: draft.type,
            time: Timestamp(milliseconds: 0),
            installID: "i",
            properties: draft.properties
        )
        let json = String(decoding: try event.encoded(), as: UTF8.self)
        return json.firstMatch(of: /"price":([^,}]+)/).map { String($0.1) }
    }

    @Test(arguments: [
        ("9.99", "9.99"), ("0", "0"), ("0.99", "0.99"), ("114.99", "114.99"), ("25000000", "25000000"),
        ("1.234567", "1.234567"), ("-4.99", "-4.99"), ("0.000001", "1e-06"), ("0.0000001", "0"),
        // As StoreKit and JSON decoders make them of doubles.
        ("9.989999999999999488", "9.99"), ("2.9899999999999998", "2.99"), ("4.990000000000001024", "4.99"),
        // Beyond a billion with fewer decimals.
        ("4389432782.271234", "4389432782.271"), ("4389432782.27", "4389432782.27"),
        ("9007199254740991", "9007199254740991"),
    ])
    func `a price is written as people write it`(price: String, text: String) throws {
        #expect(try Self.text(of: #require(Decimal(string: price))) == text)
    }

    @Test(arguments: [Decimal.nan, Decimal(sign: .plus, exponent: 60, significand: 1)])
    func `a price that no number of JSON can hold is left out, and the event stays`(price: Decimal) throws {
        #expect(try Self.text(of: price) == nil)
    }

    @Test(arguments: [UInt64.random(in: 0 ... .max)])
    func `every amount comes back exactly`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<5_000 {
            let decimals = Int.random(in: 0...6, using: &random)
            let scale = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000][decimals]
            let bound = decimals <= 3 ? 1_000_000_000_000 * scale : 1_000_000_000 * scale
            let amount = Int.random(in: -bound...bound, using: &random) >> Int.random(in: 0...50, using: &random)
            let price = Decimal(amount) / Decimal(sign: .plus, exponent: decimals, significand: 1)
            let text = try #require(try Self.text(of: price))
            #expect(Decimal(string: text) == price, "\(amount) with \(decimals) decimals, seed \(seed)")
            // What a sum with these decimals makes of it.
            let scaled = try #require(Double(text)) * Double(scale)
            #expect(Int(scaled.rounded()) == amount, "seed \(seed)")
            guard amount.magnitude < 1_000_000_000_000 else { continue }
            #expect(abs(scaled - scaled.rounded()) <= 0.001, "seed \(seed)")
            // The same amount after a detour through a double.
            let rough = Decimal(Double(amount) / Double(scale))
            #expect(try Self.text(of: rough) == text, "\(rough), seed \(seed)")
        }
    }
}
