import FlowEvents
import Testing

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("500ms", 500), ("1s", 1000), ("30m", 1_800_000), ("1h30m", 5_400_000), ("2d", 172_800_000), ("1m1ms", 60_001),
        ("0s", 0), ("90m", 5_400_000), ("2w", 1_209_600_000), ("1w2d", 777_600_000), ("1d2h3m4s5ms", 93_784_005),
    ])
    func `a duration is the sum of its parts`(text: String, milliseconds: Int64) {
        #expect(DurationText.milliseconds(text) == milliseconds)
    }

    @Test func `every duration reads back as it was written`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1000 {
            let value = Int64.random(in: 0...(.max >> Int64.random(in: 0..<62, using: &random)), using: &random)
            #expect(DurationText.milliseconds(DurationText.text(value)) == value)
        }
    }
}
