import Foundation

/// How long the tests with hostile inputs go on: seconds usually, as long as one likes with `scripts/fuzz`.
package enum FuzzRun {
    /// How many inputs to try: `FUZZ_INPUTS`, where it is set.
    package static func inputs(usually count: Int) -> Int { number("FUZZ_INPUTS") ?? count }

    /// Where their randomness begins: `FUZZ_SEED`, where it is set.
    package static func seed(usually seed: UInt64) -> UInt64 { number("FUZZ_SEED") ?? seed }

    private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        ProcessInfo.processInfo.environment[name].flatMap { Number($0) }
    }
}
