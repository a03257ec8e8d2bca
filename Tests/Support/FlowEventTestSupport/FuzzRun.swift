import Foundation

/// The length of the tests with random inputs: seconds by default, longer with `scripts/fuzz`.
package enum FuzzRun {
    /// The number of inputs: `FUZZ_INPUTS`, or the default.
    package static func inputs(usually count: Int) -> Int { number("FUZZ_INPUTS") ?? count }

    /// The seed of the inputs: `FUZZ_SEED`, or the default.
    package static func seed(usually seed: UInt64) -> UInt64 { number("FUZZ_SEED") ?? seed }

    private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        ProcessInfo.processInfo.environment[name].flatMap { Number($0) }
    }
}
