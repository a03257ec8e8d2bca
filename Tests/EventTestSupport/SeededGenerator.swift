/// SplitMix64, so that a test's random inputs are the same in every run and a failure can be made again:
/// [Steele, Lea and Flood, 2014](https://doi.org/10.1145/2714064.2660195).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func pick<C: RandomAccessCollection>(_ choices: C) -> C.Element {
        choices[choices.index(choices.startIndex, offsetBy: Int(next() % UInt64(choices.count)))]
    }

    package mutating func chance(_ percent: UInt64) -> Bool {
        next() % 100 < percent
    }
}
