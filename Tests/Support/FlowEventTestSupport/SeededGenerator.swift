import EventTrackingTestKit

/// The random choices of a test. They are the same in every run, so that a failure can be repeated.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var random: SeededRandom

    package init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    package mutating func next() -> UInt64 {
        random.next()
    }

    package mutating func pick<C: RandomAccessCollection>(_ choices: C) -> C.Element {
        choices[choices.index(choices.startIndex, offsetBy: Int(next() % UInt64(choices.count)))]
    }

    package mutating func chance(_ percent: UInt64) -> Bool {
        next() % 100 < percent
    }
}
